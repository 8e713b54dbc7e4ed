/** What a caller sent is not what a client of the library sends. Its connection ends. */
export class Malformed extends Error {}

/** Of the "intermediate" transport. */
const tag = Buffer.from('eeeeeeee', 'hex');

/** The library sends at most one MiB. */
const mostBytes = 2 * 1024 * 1024;

/** Cuts a stream into packets. The tag comes once, and each packet follows its length. Throws `Malformed`. */
export function createCutter(): (chunk: Buffer) => Buffer[] {
  let rest: Buffer = Buffer.alloc(0);
  let isTagged = false;

  const take = (bytes: number): Buffer => {
    const taken = rest.subarray(0, bytes);
    rest = rest.subarray(bytes);
    return taken;
  };

  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    if (!isTagged && rest.length >= tag.length) {
      if (!take(tag.length).equals(tag)) throw new Malformed('another transport');
      isTagged = true;
    }
    const packets: Buffer[] = [];
    while (isTagged && rest.length >= 4) {
      const length = rest.readUInt32LE();
      if (length > mostBytes) throw new Malformed('a packet that is too long');
      if (rest.length < 4 + length) break;
      packets.push(take(4 + length).subarray(4));
    }
    return packets;
  };
}

export function frameOf(packet: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(packet.length);
  return Buffer.concat([length, packet]);
}
