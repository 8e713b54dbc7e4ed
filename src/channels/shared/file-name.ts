/** The last part of an address, which the client sees as the file's name. Empty if there is none. */
export function fileNameIn(url: string): string {
  const last = URL.parse(url)?.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
