/** Every value that a `Cookie` header has under the name, in its order. Source: RFC 6265, section 4.2. */
export function cookieValues(header: string | undefined, name: string): string[] {
  const parts = (header ?? '').split(/; */).filter((part) => part.startsWith(`${name}=`));
  return parts.map((part) => part.slice(name.length + 1));
}
