import type { WriteContext } from '../../operation/context.ts'

/** Returns a positive integer of at most 31 bits, as all SDKs read it. */
export function newSeed(context: Pick<WriteContext, 'useHost'>): number {
  return (Number.parseInt(context.useHost().randomHex(4), 16) % 0x7fff_ffff) + 1
}
