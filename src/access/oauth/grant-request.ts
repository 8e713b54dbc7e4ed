import { isPrivateWay } from '../../platform/http/formats.ts';
import { queryOf } from '../../platform/http/target.ts';
import { isChallenge } from './rules.ts';

/** The parameters of the grant page's address. Source: docs/contract.md, section 2; RFC 6749, section 4.1.1. */
export type GrantRequest = {
  clientId: string;
  redirectUri: string;
  /** The received value, still encoded, so that it goes back unchanged. Null without one. */
  rawState: string | null;
  codeChallenge: string | null;
};

export type Application = { id: string; name: string; redirectUris: readonly string[] };

/** An error that a redirect reports to the application. Source: RFC 6749, section 4.1.2.1. */
export type Complaint = { error: 'invalid_request' | 'unsupported_response_type'; description: string };

/** The only value of a parameter. Null when it is missing or repeated: a server must not choose among several. */
function only(query: URLSearchParams, name: string): string | null {
  const [value, ...more] = query.getAll(name);
  return value === undefined || more.length > 0 ? null : value;
}

/** Reads the request, whose application is not looked up yet. Null when it does not identify its origin. */
export function readGrantRequest(target: string): GrantRequest | null {
  const query = queryOf(target);
  const [clientId, redirectUri] = [only(query, 'client_id'), only(query, 'redirect_uri')];
  if (clientId === null || redirectUri === null) return null;
  return {
    clientId,
    redirectUri,
    rawState: only(query, 'state') === null ? null : rawValue(target, 'state'),
    codeChallenge: only(query, 'code_challenge'),
  };
}

/**
 * An honest client never encodes parameter names. An encoded name could be read in two ways, and counts as absent.
 */
const rawValue = (target: string, name: string): string | null =>
  new RegExp(`[?&]${name}=(?<value>[^&#]*)`).exec(target)?.groups?.value ?? null;

/**
 * Whether exactly this address was registered: tolerance here would send codes to strangers. An http address from
 * before they were refused no longer counts: others on the network path could read the code.
 */
export const isRegistered = ({ redirectUris }: Application, redirectUri: string): boolean =>
  redirectUris.includes(redirectUri) && isPrivateWay(redirectUri);

/** The fault in the rest of the request, or null. */
export function complaintAbout(target: string): Complaint | null {
  const query = queryOf(target);
  const names = ['state', 'response_type', 'code_challenge', 'code_challenge_method'] as const;
  const repeated = names.find((name) => query.getAll(name).length > 1);
  if (repeated) return invalidRequest(`The parameter ${repeated} is repeated.`);
  const type = query.get('response_type');
  if (type !== null && type !== 'code') {
    return { error: 'unsupported_response_type', description: 'response_type can only be code.' };
  }
  return complaintAboutChallenge(query.get('code_challenge'), query.get('code_challenge_method'));
}

/**
 * A challenge without a method would be `plain`, which any reader of the address can answer. Source: RFC 7636,
 * sections 4.3 and 7.2.
 */
function complaintAboutChallenge(challenge: string | null, method: string | null): Complaint | null {
  if (challenge === null && method === null) return null;
  if (method !== 'S256') return invalidRequest('code_challenge_method has to be S256.');
  if (challenge === null || !isChallenge(challenge)) {
    return invalidRequest('code_challenge is not a challenge made with S256.');
  }
  return null;
}

const invalidRequest = (description: string): Complaint => ({ error: 'invalid_request', description });

/**
 * The registered address with the answer added to its query. `iss` names the answering server, so that an application
 * with several servers is not misled (RFC 9207).
 */
export function answerAddress(
  { redirectUri, rawState }: Pick<GrantRequest, 'redirectUri' | 'rawState'>,
  answer: Record<string, string>,
  issuer: string,
): string {
  const address = new URL(redirectUri).href;
  const joint = address.includes('?') ? (/[?&]$/.test(address) ? '' : '&') : '?';
  const state = rawState === null ? '' : `&state=${rawState}`;
  return `${address}${joint}${new URLSearchParams(answer)}${state}&${new URLSearchParams({ iss: issuer })}`;
}
