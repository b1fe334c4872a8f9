import { expect } from 'vitest'
import { start } from './flag-project.ts'
import { anyId, type InstructionCase } from './instruction-case.ts'
import { variationsOf } from './painted-flag.ts'

/**
 * A configuration that only follows the defaults must be stored when the defaults change; otherwise it would change
 * with them.
 */
const stored = { version: 2 }

/** Instructions that change a flag in all environments. */
export const flagWideInstructions: readonly InstructionCase[] = [
  {
    kind: 'addVariation',
    with: () => ({ value: 'grey', name: 'Grey', description: 'Dull' }),
    expectedOf: (flag) => ({
      flag: { variations: [...variationsOf(flag), { _id: anyId, value: 'grey', name: 'Grey', description: 'Dull' }] },
    }),
  },
  {
    kind: 'updateVariation',
    with: (flag) => ({ variationId: flag.green, value: 'lime', name: 'Lime', description: 'Fresh' }),
    expectedOf: (flag) => ({
      flag: {
        variations: variationsOf(flag).map((variation) =>
          variation.value === 'green'
            ? { _id: flag.green, value: 'lime', name: 'Lime', description: 'Fresh' }
            : variation,
        ),
      },
    }),
  },
  {
    kind: 'updateDefaultVariation',
    with: () => ({ onVariationValue: 'blue', offVariationValue: 'red' }),
    expectedOf: () => ({ flag: { defaults: { onVariation: 2, offVariation: 0 } }, test: stored }),
  },
  {
    kind: 'updateDefaultVariation',
    note: 'only one of the two',
    with: () => ({ offVariationValue: 'blue' }),
    expectedOf: () => ({ flag: { defaults: { onVariation: 0, offVariation: 2 } }, test: stored }),
  },

  {
    kind: 'addCustomProperties',
    with: () => ({ key: 'jira', name: 'Issues', values: ['2', '3'] }),
    expectedOf: () => ({ flag: { customProperties: { jira: { name: 'Issues', value: ['1', '2', '3'] } } } }),
  },
  {
    kind: 'addCustomProperties',
    note: 'with a key that every object has',
    with: () => ({ key: 'toString', name: 'T', values: ['1'] }),
    expectedOf: () => ({
      flag: { customProperties: { jira: { name: 'Jira', value: ['1', '2'] }, toString: { name: 'T', value: ['1'] } } },
    }),
  },
  {
    kind: 'replaceCustomProperties',
    with: () => ({ key: 'jira', name: 'Issues', values: ['9'] }),
    expectedOf: () => ({ flag: { customProperties: { jira: { name: 'Issues', value: ['9'] } } } }),
  },
  {
    kind: 'removeCustomProperties',
    with: () => ({ key: 'jira', values: ['1', '7'] }),
    expectedOf: () => ({ flag: { customProperties: { jira: { name: 'Jira', value: ['2'] } } } }),
  },
  {
    kind: 'removeCustomProperties',
    note: 'when its last value is removed',
    with: () => ({ key: 'jira', values: ['1', '2'] }),
    expectedOf: () => ({ flag: { customProperties: {} } }),
  },
  {
    kind: 'removeCustomProperties',
    note: 'that does not exist',
    with: () => ({ key: 'toString', values: ['1'] }),
    expectedOf: () => ({}),
  },
  { kind: 'addTags', with: () => ({ values: ['y', 'z'] }), expectedOf: () => ({ flag: { tags: ['x', 'y', 'z'] } }) },
  { kind: 'removeTags', with: () => ({ values: ['x', 'q'] }), expectedOf: () => ({ flag: { tags: ['y'] } }) },
  { kind: 'makeFlagPermanent', expectedOf: () => ({ flag: { temporary: false } }) },
  {
    kind: 'makeFlagTemporary',
    first: () => [{ kind: 'makeFlagPermanent' }],
    expectedOf: () => ({ flag: { temporary: true } }),
  },
  { kind: 'removeMaintainer', expectedOf: () => ({ flag: { maintainerId: undefined, _maintainer: undefined } }) },
  {
    kind: 'updateMaintainerTeam',
    with: () => ({ value: 'growth' }),
    expectedOf: () => ({ flag: { maintainerTeamKey: 'growth', maintainerId: undefined, _maintainer: undefined } }),
  },
  {
    kind: 'updateMaintainerMember',
    first: () => [{ kind: 'updateMaintainerTeam', value: 'growth' }],
    with: (flag) => ({ value: flag.memberId }),
    expectedOf: (flag) => ({
      flag: {
        maintainerTeamKey: undefined,
        maintainerId: flag.memberId,
        _maintainer: expect.objectContaining({ _id: flag.memberId }),
      },
    }),
  },
  {
    kind: 'turnOnClientSideAvailability',
    with: () => ({ value: 'usingEnvironmentId' }),
    expectedOf: () => ({
      flag: { includeInSnippet: true, clientSideAvailability: { usingEnvironmentId: true, usingMobileKey: true } },
    }),
  },
  {
    kind: 'turnOffClientSideAvailability',
    with: () => ({ value: 'usingMobileKey' }),
    expectedOf: () => ({ flag: { clientSideAvailability: { usingEnvironmentId: false, usingMobileKey: false } } }),
  },
  {
    kind: 'updateDescription',
    with: () => ({ value: 'Paint' }),
    expectedOf: () => ({ flag: { description: 'Paint' } }),
  },
  { kind: 'updateName', with: () => ({ value: 'Paint' }), expectedOf: () => ({ flag: { name: 'Paint' } }) },

  {
    kind: 'archiveFlag',
    expectedOf: () => ({ flag: { archived: true, archivedDate: String(start + 60_000) } }),
  },
  {
    kind: 'restoreFlag',
    first: () => [{ kind: 'archiveFlag' }],
    expectedOf: () => ({ flag: { archived: false, archivedDate: undefined } }),
  },
  {
    kind: 'deprecateFlag',
    expectedOf: () => ({ flag: { deprecated: true, deprecatedDate: String(start + 60_000) } }),
  },
  {
    kind: 'restoreDeprecatedFlag',
    first: () => [{ kind: 'deprecateFlag' }],
    expectedOf: () => ({ flag: { deprecated: false, deprecatedDate: undefined } }),
  },
]
