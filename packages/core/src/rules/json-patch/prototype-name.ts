/**
 * Whether a member name can reach an object's prototype when it is assigned or followed.
 *
 * No document of this system has use for such a member, so they are refused at the door, also where an own
 * member of that name would be harmless: the next copy by assignment would not be.
 */
export function isPrototypeName(name: string): boolean {
  return name === '__proto__' || name === 'constructor' || name === 'prototype'
}
