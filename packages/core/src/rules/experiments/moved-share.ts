import { type Serve, wholeWeight } from '../targeting/serve.ts'

/**
 * Returns the expected share of contexts, 0 to 1, that get another variation when a rule serves `after` instead of
 * `before`. Two rollouts are independent, because they hash with different seeds.
 */
export function movedShare(before: Serve, after: Serve): number {
  const [from, to] = [sharesOf(before), sharesOf(after)]
  let unmovedCount = 0
  for (const [variation, share] of from) unmovedCount += share * (to.get(variation) ?? 0)
  return 1 - unmovedCount
}

/** Returns the share of each variation, by its index. */
function sharesOf({ variation, rollout }: Serve): Map<number, number> {
  const shares = new Map<number, number>()
  if (variation !== undefined) shares.set(variation, 1)
  for (const part of rollout?.variations ?? []) {
    shares.set(part.variation, (shares.get(part.variation) ?? 0) + part.weight / wholeWeight)
  }
  return shares
}
