/** A refusal of the API. */
export class PatchbayError extends Error {
  /** @param {{ status: number; body: unknown; requestId: string | null; retryAfter: number | null }} answer */
  constructor({ status, body, requestId, retryAfter }) {
    super(`${status} ${sentenceOf(body)}`);
    this.name = 'PatchbayError';
    this.status = status;
    this.body = body;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** @param {unknown} body */
function sentenceOf(body) {
  if (typeof body !== 'object' || body === null) return String(body);
  return 'detail' in body ? String(body.detail) : JSON.stringify(body);
}
