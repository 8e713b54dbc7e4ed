/** The values of a `Cookie` header under a name, in order. Source: RFC 6265, section 4.2. */
export function cookieValues(header: string | undefined, name: string): string[] {
  const parts = (header ?? '').split(/; */).filter((part) => part.startsWith(`${name}=`));
  return parts.map((part) => part.slice(name.length + 1));
}
