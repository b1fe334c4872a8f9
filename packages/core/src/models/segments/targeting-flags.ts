import { keySets } from '../../storage/collection.ts'

/**
 * Keys of the flags that target a segment in its environment. A write of a flag's targeting updates them, so that
 * reading a segment does not scan all flags.
 */
export const targetingFlags = keySets({
  name: 'targeting-flags',
  address: 'proj/{projectKey}:env/{environmentKey}:segment/{segmentKey}',
})
