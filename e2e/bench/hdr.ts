// Encodes benchmark data as HdrHistogram V2 payloads: unit 1 µs, three significant digits, deflated.
import { deflateSync } from "node:zlib";

const subBuckets = 2048;
const halfShift = 10;
const highest_us = 60_000_000;

/** A histogram that only counts and encodes. */
export class Histogram {
  private readonly counts = new Map<number, number>();

  recordNs(latency_ns: number): void {
    const index = indexOf(Math.floor(latency_ns / 1_000));
    this.counts.set(index, (this.counts.get(index) ?? 0) + 1);
  }

  /** Returns the payload in base64, as in JSON messages. */
  encode(): string {
    const plain = this.encodePlain();
    const packed = deflateSync(plain);
    const head = Buffer.alloc(8);
    head.writeUInt32BE(0x1c849314, 0);
    head.writeUInt32BE(packed.length, 4);
    return Buffer.concat([head, packed]).toString("base64");
  }

  private encodePlain(): Buffer {
    const bytes: number[] = [];
    let next = 0;
    for (const [index, count] of [...this.counts].sort(([left], [right]) => left - right)) {
      if (index > next) bytes.push(...zigzag(next - index)); // a negative number encodes a run of empty buckets
      bytes.push(...zigzag(count));
      next = index + 1;
    }
    const head = Buffer.alloc(40);
    head.writeUInt32BE(0x1c849313, 0);
    head.writeUInt32BE(bytes.length, 4);
    head.writeUInt32BE(0, 8);
    head.writeUInt32BE(3, 12);
    head.writeBigUInt64BE(1n, 16);
    head.writeBigUInt64BE(BigInt(highest_us), 24);
    head.writeDoubleBE(1, 32);
    return Buffer.concat([head, Buffer.from(bytes)]);
  }
}

function indexOf(value_us: number): number {
  if (value_us < subBuckets) return value_us;
  const bucket = Math.floor(Math.log2(value_us)) - halfShift;
  return (bucket << halfShift) + Math.floor(value_us / 2 ** bucket);
}

/** Returns the ZigZag LEB128 encoding of a number whose absolute value is below 2^30. */
function zigzag(value: number): number[] {
  let rest = value < 0 ? -value * 2 - 1 : value * 2;
  const bytes: number[] = [];
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
  return bytes;
}
