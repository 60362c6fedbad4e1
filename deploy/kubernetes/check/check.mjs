// Checks manifests against the models of the Kubernetes API, strictly: a field that no model knows is an error, as is one
// that is missing or of another type. Reads the manifests of each file named; prints what is wrong, one line each, and
// ends with 1 if anything is. No cluster is asked.
//
// Thrice: as literals of the models' TypeScript types, whose compiler refuses unknown fields and values; and by the
// models' own validators, which know formats and bounds; and by the names that one manifest calls another.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import yaml from "js-yaml";
import ts from "typescript";

const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname;

// The module of a model's group and version, and the model's name in it.
function model(manifest) {
  const [group, version] = manifest.apiVersion.includes("/") ? manifest.apiVersion.split("/") : ["", manifest.apiVersion];
  const operator = group === "monitoring.coreos.com";
  const home = operator ? "@kubernetes-models/prometheus-operator" : "kubernetes-models";
  return { module: [home, group, version].filter(Boolean).join("/"), kind: manifest.kind };
}

// Manifests of a file, with a name to call them by.
function read(file) {
  return yaml
    .loadAll(readFileSync(file, "utf8"))
    .filter(Boolean)
    .map((manifest) => ({ manifest, name: `${file}: ${manifest.kind}/${manifest.metadata?.name}`, ...model(manifest) }));
}

// What the compiler says of the manifests as typed literals.
function typeErrors(all) {
  const folder = mkdtempSync(join(here, "target-"));
  try {
    const file = join(folder, "manifests.ts");
    const starts = [];
    let text = "";
    let line = 0;
    all.forEach(({ manifest, module, kind }, index) => {
      const part =
        `import type { I${kind} as M${index} } from ${JSON.stringify(module + "/" + kind)};\n` +
        `export const m${index}: M${index} = ${JSON.stringify(manifest, null, 1)};\n`;
      starts.push(line);
      text += part;
      line += part.split("\n").length - 1;
    });
    writeFileSync(file, text);
    const program = ts.createProgram([file], {
      strict: true,
      noEmit: true,
      types: [],
      skipLibCheck: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
    });
    return ts.getPreEmitDiagnostics(program).map((diagnostic) => {
      const at = diagnostic.file ? diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start).line : 0;
      const index = starts.findLastIndex((start) => start <= at);
      const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n").trim().split("\n").pop().trim();
      const source = diagnostic.file ? text.split("\n")[at].trim() : "";
      return `${all[index].name}: ${source}: ${message}`;
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// What the models' own validators say.
async function valueErrors(all) {
  const errors = [];
  for (const { manifest, name, module, kind } of all) {
    try {
      const { [kind]: Model } = await import(`${module}/${kind}`);
      new Model(manifest).validate();
    } catch (error) {
      errors.push(`${name}: ${error.message}`);
    }
  }
  return errors;
}

// What refers to something that the same file does not have: the pods of a service, the volumes and settings of a pod.
function linkErrors(all) {
  const errors = [];
  const kinds = (kind) => all.filter(({ manifest }) => manifest.kind === kind);
  const has = (kind, name) => kinds(kind).some(({ manifest }) => manifest.metadata.name === name);
  const workloads = all.filter(({ manifest }) => manifest.spec?.template?.spec);
  for (const { manifest, name } of kinds("Service")) {
    const pods = workloads.filter(({ manifest: { spec } }) =>
      Object.entries(manifest.spec.selector).every(([key, value]) => spec.template.metadata.labels[key] === value),
    );
    if (pods.length !== 1) errors.push(`${name}: selects ${pods.length} workloads (expected: 1)`);
  }
  for (const { manifest, name } of workloads) {
    const pod = manifest.spec.template.spec;
    const wanted = [
      ...(pod.volumes ?? []).map((volume) => ["ConfigMap", volume.configMap?.name]),
      ...(pod.volumes ?? []).map((volume) => ["PersistentVolumeClaim", volume.persistentVolumeClaim?.claimName]),
      ...pod.containers.flatMap(({ envFrom = [] }) => envFrom.map((from) => ["ConfigMap", from.configMapRef?.name])),
    ];
    for (const [kind, target] of wanted) {
      if (target && !has(kind, target)) errors.push(`${name}: no ${kind}/${target}`);
    }
    const volumes = (pod.volumes ?? []).map((volume) => volume.name);
    for (const mount of pod.containers.flatMap(({ volumeMounts = [] }) => volumeMounts)) {
      if (!volumes.includes(mount.name)) errors.push(`${name}: no volume ${mount.name}`);
    }
  }
  return errors;
}

const files = process.argv.slice(2).map(read);
const all = files.flat();
if (all.length === 0) {
  console.error("no manifests");
  process.exit(1);
}
const errors = [...typeErrors(all), ...(await valueErrors(all)), ...files.flatMap(linkErrors)];
errors.forEach((error) => console.error(error));
console.log(`${all.length} manifests, ${errors.length} errors`);
process.exit(errors.length === 0 ? 0 : 1);
