import { basePath, frameSession } from './page.ts';
import { Unreachable } from './unreachable.ts';

/** A refusal of the server, with its message. */
export class ApiProblem extends Error {
  readonly status: number;
  /** Errors by field, as the form names it. Names of nested fields are joined by dots. */
  readonly fields: Readonly<Record<string, string>>;
  /** The complete response body, for refusals with more data than a message. */
  readonly answer: unknown;

  constructor(status: number, message: string, fields: Readonly<Record<string, string>>, answer: unknown) {
    super(message);
    this.status = status;
    this.fields = fields;
    this.answer = answer;
  }
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export type Api = {
  /** The parsed response, or undefined if it is empty. Throws `ApiProblem` and `Unreachable`. */
  get<Answer>(path: string, query?: Query, signal?: AbortSignal): Promise<Answer>;
  post<Answer = undefined>(path: string, body?: unknown): Promise<Answer>;
  put<Answer = undefined>(path: string, body?: unknown): Promise<Answer>;
  patch<Answer = undefined>(path: string, body?: unknown): Promise<Answer>;
  delete<Answer = undefined>(path: string, body?: unknown): Promise<Answer>;
  /** The raw response, for streams and files. */
  open(method: string, path: string, init?: RequestInit): Promise<Response>;
  /** The URL of a path, for links and pictures. */
  address(path: string, query?: Query): string;
  /** The headers that identify the caller, for calls without `fetch`. */
  headers: Readonly<Record<string, string>>;
};

/** Calls the API under `root` for a project, or for the session of a frame. `projectId` is empty if there is none. */
export function createApi(root: string, projectId = ''): Api {
  const who: Record<string, string> = {
    ...(projectId && { 'patchbay-project': projectId }),
    ...(frameSession && { 'patchbay-frame': frameSession }),
  };
  const address = (path: string, query: Query = {}): string => {
    const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return `${basePath}${root}${path}${search && `?${search}`}`;
  };

  async function request(url: string, init: RequestInit): Promise<Response> {
    const response = await fetch(url, init).catch((error: unknown) => {
      if (init.signal?.aborted) throw error;
      throw new Unreachable();
    });
    if (!response.ok) throw await problemOf(response);
    return response;
  }

  async function call(method: string, path: string, body: unknown, query?: Query, signal?: AbortSignal) {
    const headers = { ...who, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const init = { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body) };
    const response = await request(address(path, query), init);
    return response.status === 204 ? undefined : response.json();
  }

  return {
    get: (path, query, signal) => call('GET', path, undefined, query, signal),
    post: (path, body = {}) => call('POST', path, body),
    put: (path, body = {}) => call('PUT', path, body),
    patch: (path, body = {}) => call('PATCH', path, body),
    delete: (path, body) => call('DELETE', path, body),
    open: (method, path, init = {}) =>
      request(address(path), { ...init, method, headers: { ...who, ...init.headers } }),
    address,
    headers: who,
  };
}

/** The message of a refusal. */
export async function problemOf(response: Response): Promise<ApiProblem> {
  const answer: unknown = await response.json().catch(() => null);
  const fields = Object.fromEntries(flattened(answer));
  const { detail, non_field_errors: whole, ...named } = fields;
  return new ApiProblem(
    response.status,
    detail ?? whole ?? Object.values(named)[0] ?? response.statusText,
    named,
    answer,
  );
}

/** `{"a": {"b": ["x", "y"]}}` as `a.b` → `x y`. */
function flattened(answer: unknown, path: readonly string[] = []): [name: string, text: string][] {
  if (typeof answer === 'string') return [[path.join('.'), answer]];
  if (Array.isArray(answer)) {
    const texts = answer.filter((item) => typeof item === 'string');
    return texts.length > 0 ? [[path.join('.'), texts.join(' ')]] : [];
  }
  if (typeof answer !== 'object' || answer === null) return [];
  return Object.entries(answer).flatMap(([name, value]) => flattened(value, [...path, name]));
}
