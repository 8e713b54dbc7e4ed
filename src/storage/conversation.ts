import { scanMessages } from './wire.ts';

type Due = 'ready' | 'flushed';

const flushAnswers = new Set(Buffer.from('tEsCI'));
const code = (letter: string): number => letter.charCodeAt(0);
const ready = code('Z');
const flush = code('H');
const idle = code('I');
const requests = new Set(Buffer.from('QSF'));

/** Where a client and PostgreSQL stand on one connection, known from the bytes alone. */
export class Conversation {
  // The startup message, which has no type, is answered as a query is.
  readonly #due: Due[] = ['ready'];
  #started = false;
  #status = idle;
  readonly #requests = scanMessages((type) => this.#request(type));
  readonly #answers = scanMessages((type, status) => this.#answer(type, status));

  get isAnswerDue(): boolean {
    return this.#due.length > 0;
  }

  get isInTransaction(): boolean {
    return this.#status !== idle;
  }

  sent(bytes: Buffer): void {
    if (this.#started) this.#requests(bytes);
    this.#started = true;
  }

  received(bytes: Buffer): void {
    this.#answers(bytes);
  }

  #request(type: number): void {
    if (requests.has(type)) this.#due.push('ready');
    else if (type === flush) this.#due.push('flushed');
  }

  #answer(type: number, status: number): void {
    if (type === ready) {
      this.#status = status;
      this.#due.splice(0, this.#due.indexOf('ready') + 1);
    } else if (this.#due[0] === 'flushed' && flushAnswers.has(type)) {
      this.#due.shift();
    }
  }
}
