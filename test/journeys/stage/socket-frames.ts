const endOfRequest = Buffer.from('\r\n\r\n');
const binaryOpcode = 2;

/** Counts the binary messages in what a client writes over one connection: a request first, then WebSocket frames. */
export class SocketFrames {
  #isUpgraded = false;
  #waiting: Buffer = Buffer.alloc(0);

  /** How many begin with these bytes. */
  binary(bytes: Buffer): number {
    this.#waiting = Buffer.concat([this.#waiting, bytes]);
    if (!this.#isUpgraded) {
      const end = this.#waiting.indexOf(endOfRequest);
      if (end === -1) return 0;
      this.#isUpgraded = true;
      this.#waiting = this.#waiting.subarray(end + endOfRequest.length);
    }
    let count = 0;
    for (let frame = this.#next(); frame !== null; frame = this.#next()) {
      if (frame.opcode === binaryOpcode) count += 1;
      this.#waiting = this.#waiting.subarray(frame.length);
    }
    return count;
  }

  /** The frame that is whole. RFC 6455, 5.2: a client's are masked. */
  #next(): { opcode: number; length: number } | null {
    const [first, second] = this.#waiting;
    if (first === undefined || second === undefined) return null;
    const short = second & 0x7f;
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
    if (this.#waiting.length < 2 + lengthBytes) return null;
    const payload =
      lengthBytes === 0
        ? short
        : lengthBytes === 2
          ? this.#waiting.readUInt16BE(2)
          : Number(this.#waiting.readBigUInt64BE(2));
    const length = 2 + lengthBytes + 4 + payload;
    return this.#waiting.length < length ? null : { opcode: first & 0x0f, length };
  }
}
