#!/usr/bin/env bash
# Renders every overlay without a cluster, and checks what comes out against the models of the Kubernetes API.
#
#   deploy/kubernetes/test.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=deploy/lib.sh
source deploy/lib.sh

here=deploy/kubernetes
out=$here/target # ignored by git
need kubectl kubernetes-client
need npm npm
rm -rf "$out/rendered" "$out/monitored"
mkdir -p "$out/rendered" "$out/check" "$out/monitored"

# Every overlay, and one with the component that no overlay takes by itself.
cat >"$out/monitored/kustomization.yaml" <<YAML
resources: [../../overlays/large]
components: [../../components/servicemonitor]
YAML
for overlay in "$here"/overlays/* "$out/monitored"; do
  kubectl kustomize "$overlay" >"$out/rendered/$(basename "$overlay").yaml" || fail "$overlay does not render"
done

# The checker's packages, by its lock file; again only when that has changed.
if ! cmp -s "$here/check/package-lock.json" "$out/check/installed.json"; then
  cp "$here"/check/{package.json,package-lock.json,.npmrc} "$out/check"
  npm --prefix "$out/check" ci --silent || fail "npm ci failed"
  cp "$here/check/package-lock.json" "$out/check/installed.json"
fi
cp "$here/check/check.mjs" "$out/check"
node "$out/check/check.mjs" "$out"/rendered/*.yaml || fail "the manifests are not what Kubernetes takes"

# That it can fail: one letter wrong.
sed 's/readOnlyRootFilesystem/readOnlyRootFileSystem/' "$out/rendered/small.yaml" >"$out/broken.yaml"
if node "$out/check/check.mjs" "$out/broken.yaml" >/dev/null 2>&1; then fail "a misspelt field was not noticed"; fi

# One index for each cell of the sweep: the program says how many there are when it is asked for too high a one.
jobs=$(sed -n 's/^  completions: //p' "$out/rendered/sweep.yaml")
said=$(./herdlab run --model --cell 1000000 "$here/overlays/sweep/sweep.yaml" 2>&1 >/dev/null) || true
last=$(sed -n 's/.*expected: 0 to \([0-9]*\).*/\1/p' <<<"$said")
[[ -n $last ]] || fail "no number of cells: $said"
((jobs == last + 1)) || fail "sweep: $jobs completions (expected: $((last + 1)), its cells)"

# The versions are those of Compose.
read_versions
for overlay in small large; do
  grep -q "image: redis:$REDIS_TAG\$" "$out/rendered/$overlay.yaml" || fail "$overlay: not the Redis of .env ($REDIS_TAG)"
done
overlays=("$out"/rendered/*.yaml)
echo "kubernetes: ${#overlays[@]} overlays render and fit"
