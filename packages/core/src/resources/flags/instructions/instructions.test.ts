import { describe, expect, it } from 'vitest'
import { start } from '../test/flag-project.ts'
import { flagWideInstructions } from '../test/flag-wide-instructions.ts'
import { paintedFlag } from '../test/painted-flag.ts'
import { targetingInstructions } from '../test/targeting-instructions.ts'

/** All kinds of instructions: the instructions of the reference API, and the ones that hold and resume releases. */
const kinds = `
  turnFlagOff turnFlagOn addClauses addPrerequisite addRule addTargets addUserTargets addValuesToClause clearTargets
  clearUserTargets removeClauses removePrerequisite removeRule removeTargets removeUserTargets removeValuesFromClause
  reorderRules replacePrerequisites replaceRules replaceTargets replaceUserTargets updateClause
  updateFallthroughVariationOrRollout updateOffVariation updatePrerequisite updateRuleDescription
  updateRuleTrackEvents updateRuleVariationOrRollout updateTrackEvents updateTrackEventsFallthrough
  startAutomatedRelease stopAutomatedRelease holdAutomatedRelease resumeAutomatedRelease
  addVariation removeVariation updateVariation updateDefaultVariation
  addCustomProperties replaceCustomProperties removeCustomProperties addTags removeTags makeFlagPermanent
  makeFlagTemporary removeMaintainer updateMaintainerMember updateMaintainerTeam turnOnClientSideAvailability
  turnOffClientSideAvailability updateDescription updateName
  archiveFlag deleteFlag deprecateFlag restoreDeprecatedFlag restoreFlag`
  .trim()
  .split(/\s+/)

const cases = [...targetingInstructions, ...flagWideInstructions]

/** Kinds that create something new each time, so that a second application is another change. */
const generatingKinds = new Set(['addRule', 'addClauses', 'replaceRules', 'addVariation'])

describe('every instruction', () => {
  it('of the reference API is tested', () => {
    const elsewhere = ['removeVariation', 'deleteFlag']
    expect(new Set([...cases.map(({ kind }) => kind), ...elsewhere])).toEqual(new Set(kinds))
    expect(kinds).toHaveLength(57)
  })

  it.each(cases.map((entry) => ({ ...entry, title: `${entry.kind} ${entry.note ?? ''}`.trim() })))(
    'changes exactly the expected properties: $title',
    async ({ kind, with: properties, first, expectedOf }) => {
      const project = await paintedFlag()
      if (first) await project.instruct('f', first(project))
      const before = await project.get('f')
      project.pass(60_000)
      const instruction = { kind, ...properties?.(project) }
      const { flag, config, test } = expectedOf(project)
      const after = await project.instruct('f', [instruction])

      const { production, test: other } = before.environments ?? {}
      const versionProperties = config && {
        version: (production?.version ?? 0) + 1,
        lastModified: String(start + 60_000),
      }
      // Both properties are derived from the other properties, and have tests of their own.
      const derived = { archived: expect.any(Boolean), _summary: expect.any(Object) }
      expect(after).toEqual({
        ...before,
        ...flag,
        _version: before._version + (flag || config ? 1 : 0),
        environments: {
          production: { ...production, ...config, ...versionProperties, ...derived },
          test: { ...other, ...test, ...derived },
        },
      })
      // The response equals the stored flag, and applying the instruction again changes nothing
      // (docs/decisions/0001-follow-one-set-of-http-conventions.md#d12-semantic-patch).
      expect(await project.get('f')).toEqual(after)
      if (!generatingKinds.has(kind)) expect(await project.instruct('f', [instruction])).toEqual(after)
    },
  )
})
