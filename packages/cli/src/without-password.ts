/**
 * Masks a password in an address, so that the address can be printed: the part before the last `@` of the host, and
 * parameters of the query.
 */
export function withoutPassword(address: string): string {
  return address
    .replace(/(:\/\/[^:/?#@]*:)[^/?#]*@/, '$1***@')
    .replace(/([?&](?:password|sslpassword)=)[^&#]*/gi, '$1***')
}
