package dev.herdlab.balancer.algorithm;

import java.util.Arrays;

/// A ring on which a key falls on the first point at or after its place, and after the last on the
/// first. Of equal points the one that was added first counts.
///
/// Cost: O(1) a key for points that a hash has spread; making one O(points · log points), 16 to 20
/// bytes a point. Owner thread: any (not changed after its making).
/// Source: Karger and others, "Consistent Hashing and Random Trees", STOC 1997; the search as in
/// RJ/ketama `ketama_get_server`, which Envoy ported.
final class HashRing implements Ring {
  /// Places and keys of 64 bits.
  static final long ALL_BITS = -1;

  /// Places of 32 bits, as in memcached's clients and nginx: the low half of a key counts.
  static final long LOW_BITS = 0xFFFF_FFFFL;

  private final long bits;

  /// Sorted; their order is that of unsigned numbers, by their top bit turned over.
  private final long[] places;

  private final int[] owners;

  /// For each of the sectors that the ring is cut into, as many as points or up to twice that, its
  /// first point: where a search begins.
  private final int[] firstOf;

  private final int sectorShift;

  private HashRing(long bits, long[] places, int[] owners) {
    this.bits = bits;
    this.places = places;
    this.owners = owners;
    int sectorBits = Integer.SIZE - Integer.numberOfLeadingZeros(places.length);
    this.sectorShift = Long.bitCount(bits) - sectorBits;
    this.firstOf = new int[1 << sectorBits];
    for (int sector = 0; sector < firstOf.length; sector++) {
      firstOf[sector] = firstFrom(places, ((long) sector << sectorShift) ^ Long.MIN_VALUE);
    }
  }

  @Override
  public int pointOf(long key) {
    long place = (key & bits) ^ Long.MIN_VALUE;
    int at = firstOf[(int) ((key & bits) >>> sectorShift)];
    while (at < places.length && places[at] < place) {
      at++;
    }
    return at == places.length ? 0 : at;
  }

  @Override
  public int ownerOf(int point) {
    return owners[point];
  }

  @Override
  public int points() {
    return places.length;
  }

  /// The place of a point, unsigned.
  long placeOf(int point) {
    return places[point] ^ Long.MIN_VALUE;
  }

  private static int firstFrom(long[] sorted, long place) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] < place) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// A ring in the making. Owner thread: its user's.
  static final class Points {
    private long[] places = new long[1024];
    private int[] owners = new int[1024];
    private int count;

    void add(long place, int owner) {
      if (count == places.length) {
        places = Arrays.copyOf(places, 2 * count);
        owners = Arrays.copyOf(owners, 2 * count);
      }
      places[count] = place ^ Long.MIN_VALUE;
      owners[count] = owner;
      count++;
    }

    /// The ring of the points so far.
    ///
    /// @param bits which bits of a key are its place
    HashRing ring(long bits) {
      long[] sorted = Arrays.copyOf(places, count);
      Arrays.sort(sorted);
      int[] sortedOwners = new int[count];
      Arrays.fill(sortedOwners, -1);
      for (int i = 0; i < count; i++) {
        int at = firstFrom(sorted, places[i]);
        while (sortedOwners[at] >= 0) {
          at++; // equal places stand in the order in which they came
        }
        sortedOwners[at] = owners[i];
      }
      return new HashRing(bits, sorted, sortedOwners);
    }
  }
}
