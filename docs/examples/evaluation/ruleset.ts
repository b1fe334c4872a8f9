// #region ruleset
import { compileRuleset, evaluate, replaceFlag } from '@halyard/core/evaluation'

const before = compileRuleset({
  flags: [
    {
      key: 'theme',
      on: true,
      salt: '3f1c',
      variations: ['light', 'dark'],
      fallthrough: {
        rollout: {
          contextKind: 'user',
          variations: [
            { variation: 0, weight: 90_000 },
            { variation: 1, weight: 10_000 },
          ],
        },
      },
    },
  ],
})
const after = replaceFlag(before, {
  key: 'theme',
  on: true,
  variations: ['light', 'dark'],
  fallthrough: { variation: 1 },
})

const user = { kind: 'user', key: 'ann' }
console.log(evaluate(before, 'theme', user).value, evaluate(after, 'theme', user).value)
// #endregion
