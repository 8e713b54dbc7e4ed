/** A browser without scripts. It keeps cookies, follows no redirects, and sends the forms of its current page. */
export type Page = { status: number; headers: Headers; text: string; location: string | null };

export type FormVisitor = {
  cookies: Map<string, string>;
  open(path: string): Promise<Page>;
  /** Sends the first form of the current page with its hidden fields, to `path` or to that page. */
  submit(fields?: Record<string, string>, options?: Submission): Promise<Page>;
};

type Submission = { path?: string; headers?: Record<string, string> };

export function formVisitor(address: string, always: Record<string, string> = {}): FormVisitor {
  const cookies = new Map<string, string>();
  let [place, hidden] = ['/', {} as Record<string, string>];

  const ask = async (
    path: string,
    init: RequestInit & { headers?: Record<string, string> },
  ): Promise<Page> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...always, ...(cookie && { cookie }), ...init.headers };
    const response = await fetch(address + path, { ...init, redirect: 'manual', headers });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (/Max-Age=0/.test(set)) cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await response.text();
    const { status, headers: answered } = response;
    return { status, headers: answered, text, location: answered.get('location') };
  };

  return {
    cookies,
    async open(path) {
      const page = await ask(path, {});
      place = path;
      const form = /<form.*?<\/form>/s.exec(page.text)?.[0] ?? '';
      const inputs = form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g);
      hidden = Object.fromEntries(
        [...inputs].map(([, name = '', value = '']) => [name, unescapeHtml(value)]),
      );
      return page;
    },
    submit(fields = {}, { path = place, headers = {} } = {}) {
      const body = new URLSearchParams({ ...hidden, ...fields });
      return ask(path, { method: 'POST', body, headers });
    },
  };
}

const unescapeHtml = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
