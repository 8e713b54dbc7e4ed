import { basePath, frameSession } from './page.ts';

/** What the server has refused, in its words. */
export class ApiProblem extends Error {
  readonly status: number;
  /** By field, as the form names it; nested fields are joined by dots. */
  readonly fields: Readonly<Record<string, string>>;
  /** The whole answer, for a refusal that brings more than words. */
  readonly answer: unknown;

  constructor(status: number, message: string, fields: Readonly<Record<string, string>>, answer: unknown) {
    super(message);
    this.status = status;
    this.fields = fields;
    this.answer = answer;
  }
}

/** There is no connection to the server. */
export class Unreachable extends Error {}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export type Api = {
  /** The parsed answer; undefined where there is none. Throws `ApiProblem` and `Unreachable`. */
  get<Answer>(path: string, query?: Query, signal?: AbortSignal): Promise<Answer>;
  post<Answer = undefined>(path: string, body?: unknown): Promise<Answer>;
  put<Answer = undefined>(path: string, body?: unknown): Promise<Answer>;
  patch<Answer = undefined>(path: string, body?: unknown): Promise<Answer>;
  delete<Answer = undefined>(path: string, body?: unknown): Promise<Answer>;
  /** An answer as it is: for streams and files. */
  open(method: string, path: string, init?: RequestInit): Promise<Response>;
  /** The address of a path, for links and pictures. */
  address(path: string, query?: Query): string;
  /** Says in whose name a call is made, for those that are not made by `fetch`. */
  headers: Readonly<Record<string, string>>;
};

/** Calls below `root` in the name of a project, or of the session of a frame. `projectId` is empty where none is meant. */
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

/** What an answer that refuses says. */
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
