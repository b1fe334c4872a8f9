import { keySets } from '../../storage/collection.ts'

/**
 * Keys of the flags that target a segment in its environment. Kept by whoever writes a flag's targeting, so that a
 * segment can tell its flags without looking through all of them.
 */
export const targetingFlags = keySets({
  name: 'targeting-flags',
  address: 'proj/{projectKey}:env/{environmentKey}:segment/{segmentKey}',
})
