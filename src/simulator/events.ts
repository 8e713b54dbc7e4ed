/** The answer of Patchbay to an event. */
export type Answered = { status: number; text: string };

export class NoAddress extends Error {
  constructor() {
    super('No channel is connected: this provider has no address of Patchbay.');
  }
}

/** Throws text for people if the answer is no success. */
export function expectAccepted({ status, text }: Answered): void {
  if (status < 200 || status > 299)
    throw new Error(`Patchbay answered ${status}. ${text.slice(0, 200)}`.trim());
}

/** An address of a channel that was removed meanwhile does no harm. Throws if no address accepted the event. */
export function expectOneAccepted(answers: readonly Answered[]): void {
  const [first] = answers;
  if (first === undefined) throw new NoAddress();
  expectAccepted(answers.find(({ status }) => status >= 200 && status <= 299) ?? first);
}

/** No provider waits longer. */
const answerMs = 15_000;

/** Sends an event as JSON, or as the text that is signed. */
export async function postEvent(
  address: string,
  body: object | string,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(answerMs),
  });
  return { status: answer.status, text: await answer.text() };
}
