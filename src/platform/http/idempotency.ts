import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { Invalid, NotFound, Refused, Throttled } from '../problem.ts';
import { HttpProblem } from './errors.ts';
import {
  type Claim,
  type ClaimTimes,
  claimKey,
  findKey,
  keepAnswer,
  lapseClaim,
  releaseKey,
} from './idempotency-store.ts';
import { isRecord } from './json.ts';
import type { Principal } from './principal.ts';
import { canonicalPathOf } from './target.ts';

/*
 * A key is claimed together with the id of the thing to be made. The claim precedes the effect, and the answer is
 * stored after it. The id ties the two together. An attempt that takes over a lapsed claim first looks whether the
 * thing exists. If the first attempt is merely slow, both insert the same primary key, and the database accepts one
 * of them. A crash at any point therefore neither blocks a key forever nor makes a second thing. A feature's single
 * statement stays as it is.
 * Only a success is stored. A refusal (4xx) gives the key back, because nothing was made. After any other error the
 * outcome is unknown: the claim lapses at once, but the key keeps its id.
 */

const keptForMs = 24 * 60 * 60 * 1000;
/** Several times the duration of a handler: a statement succeeds or fails within two seconds. */
const claimedForMs = 10_000;
/** Longer than a claim lasts, so that a waiting twin either gets the answer or takes over. */
const waitForMs = 15_000;
const lapseRetryMs = 500;
const shortestWaitMs = 25;
const longestWaitMs = 400;
const maxKeyLength = 255;
const sealedFor = 'idempotency.answer';

type Creation<Made> = {
  make: (id: string) => Promise<Made>;
  recall: (id: string) => Promise<Made | undefined>;
};

type Call = { context: Context; principal: Principal; request: FastifyRequest; reply: FastifyReply };

/** Makes the thing once for each `Idempotency-Key` of the caller. Source: docs/contract.md, section 1. */
export async function createOnce<Made>(call: Call, creation: Creation<Made>): Promise<unknown> {
  const { context, principal, request, reply } = call;
  const key = request.headers['idempotency-key'];
  if (key === undefined) return creation.make(context.newId());

  const claim: Claim = {
    projectId: principal.projectId,
    keyHash: hash(`${principal.kind} ${principal.callerId} ${readKey(key)}`),
    requestHash: hash(`${request.method} ${canonicalPathOf(request.url)}\n${canonical(request.body)}`),
    objectId: context.newId(),
  };
  for (let waited = 0, wait = shortestWaitMs; waited < waitForMs; waited += wait) {
    const objectId = await claimKey(context.sql, claim, times(context)).catch((error: unknown) => {
      // The key may have been claimed despite the error.
      void lapseSoon(context, claim);
      throw error;
    });
    if (objectId !== undefined)
      return makeClaimed(call, creation, { ...claim, objectId }, objectId === claim.objectId);
    const kept = await findKey(context.sql, claim);
    if (kept && !kept.requestHash.equals(claim.requestHash)) {
      throw new HttpProblem(422, 'This Idempotency-Key was already used for another request.');
    }
    if (kept?.answer) {
      reply.header('idempotent-replay', 'true');
      return JSON.parse(context.vault.open(kept.answer, sealedFor));
    }
    wait = Math.min(wait * 2, longestWaitMs);
    await pause(wait);
  }
  throw new HttpProblem(409, 'A request with this Idempotency-Key is still being answered.', {
    'retry-after': '1',
  });
}

async function makeClaimed<Made>(
  { context }: Call,
  { make, recall }: Creation<Made>,
  claim: Claim,
  isFirstAttempt: boolean,
): Promise<Made> {
  try {
    const earlier = isFirstAttempt ? undefined : await recall(claim.objectId);
    const made = earlier ?? (await make(claim.objectId));
    await keepAnswer(context.sql, claim, context.vault.seal(JSON.stringify(made), sealedFor));
    return made;
  } catch (error) {
    if (isFirstAttempt && isRefusal(error)) await releaseKey(context.sql, claim);
    else void lapseSoon(context, claim);
    throw error;
  }
}

/**
 * The failure may be the database's own. This is therefore not awaited, and is retried until the claim lapses by
 * itself.
 */
async function lapseSoon({ sql }: Context, claim: Claim): Promise<void> {
  for (let waited = 0; waited < claimedForMs; waited += lapseRetryMs) {
    const isLapsed = await lapseClaim(sql, claim).then(
      () => true,
      () => false,
    );
    if (isLapsed) return;
    await pause(lapseRetryMs, undefined, { ref: false });
  }
}

/**
 * A refusal says that nothing was made. After a second attempt's refusal the first may still be running, so its key
 * stays.
 */
function isRefusal(error: unknown): boolean {
  if (error instanceof HttpProblem) return error.status < 500;
  return [Invalid, NotFound, Refused, Throttled].some((problem) => error instanceof problem);
}

function times({ clock }: Context): ClaimTimes {
  const now = clock.now();
  return {
    now,
    claimedUntil: new Date(now.getTime() + claimedForMs),
    forgottenBefore: new Date(now.getTime() - keptForMs),
  };
}

function readKey(header: string | string[]): string {
  const key = String(header);
  if (key.length > 0 && key.length <= maxKeyLength) return key;
  throw new HttpProblem(400, `Idempotency-Key must have 1 to ${maxKeyLength} characters.`);
}

/** The body regardless of spaces and field order, which clients may change between two attempts. */
function canonical(body: unknown): string {
  return JSON.stringify(body, (_name, value: unknown) => (isRecord(value) ? sorted(value) : value));
}

function sorted(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
