import type { Host } from '../../operation/context.ts'

/**
 * Wraps a host so that it returns recorded ids and random bytes, in their order, while there are any, and then new
 * ones.
 */
export function replayingHost(host: Host, draws: readonly string[]): Host {
  const remaining = [...draws]
  return {
    ...host,
    newId: () => remaining.shift() ?? host.newId(),
    randomHex: (bytes) => {
      // A text of another length was recorded for an id, because the call ran through other code in the branch.
      const isNext = remaining[0]?.length === bytes * 2
      return (isNext ? remaining.shift() : undefined) ?? host.randomHex(bytes)
    },
  }
}
