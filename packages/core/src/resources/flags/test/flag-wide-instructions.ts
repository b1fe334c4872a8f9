import { expect } from 'vitest'
import { start } from './flag-project.ts'
import { anyId, type InstructionCase } from './instruction-case.ts'
import { paint } from './painted-flag.ts'

/** A configuration that follows the defaults must be stored when these change; otherwise it would change with them. */
const kept = { version: 2 }

/** Instructions that change a flag in all environments. */
export const flagWideInstructions: readonly InstructionCase[] = [
  {
    kind: 'addVariation',
    with: () => ({ value: 'grey', name: 'Grey', description: 'Dull' }),
    makes: (p) => ({
      flag: { variations: [...paint(p), { _id: anyId, value: 'grey', name: 'Grey', description: 'Dull' }] },
    }),
  },
  {
    kind: 'updateVariation',
    with: (p) => ({ variationId: p.green, value: 'lime', name: 'Lime', description: 'Fresh' }),
    makes: (p) => ({
      flag: {
        variations: paint(p).map((one) =>
          one.value === 'green' ? { _id: p.green, value: 'lime', name: 'Lime', description: 'Fresh' } : one,
        ),
      },
    }),
  },
  {
    kind: 'updateDefaultVariation',
    with: () => ({ onVariationValue: 'blue', offVariationValue: 'red' }),
    makes: () => ({ flag: { defaults: { onVariation: 2, offVariation: 0 } }, test: kept }),
  },
  {
    kind: 'updateDefaultVariation',
    note: 'only one of the two',
    with: () => ({ offVariationValue: 'blue' }),
    makes: () => ({ flag: { defaults: { onVariation: 0, offVariation: 2 } }, test: kept }),
  },

  {
    kind: 'addCustomProperties',
    with: () => ({ key: 'jira', name: 'Issues', values: ['2', '3'] }),
    makes: () => ({ flag: { customProperties: { jira: { name: 'Issues', value: ['1', '2', '3'] } } } }),
  },
  {
    kind: 'addCustomProperties',
    note: 'with a key that every object has',
    with: () => ({ key: 'toString', name: 'T', values: ['1'] }),
    makes: () => ({
      flag: { customProperties: { jira: { name: 'Jira', value: ['1', '2'] }, toString: { name: 'T', value: ['1'] } } },
    }),
  },
  {
    kind: 'replaceCustomProperties',
    with: () => ({ key: 'jira', name: 'Issues', values: ['9'] }),
    makes: () => ({ flag: { customProperties: { jira: { name: 'Issues', value: ['9'] } } } }),
  },
  {
    kind: 'removeCustomProperties',
    with: () => ({ key: 'jira', values: ['1', '7'] }),
    makes: () => ({ flag: { customProperties: { jira: { name: 'Jira', value: ['2'] } } } }),
  },
  {
    kind: 'removeCustomProperties',
    note: 'when its last value is removed',
    with: () => ({ key: 'jira', values: ['1', '2'] }),
    makes: () => ({ flag: { customProperties: {} } }),
  },
  {
    kind: 'removeCustomProperties',
    note: 'that does not exist',
    with: () => ({ key: 'toString', values: ['1'] }),
    makes: () => ({}),
  },
  { kind: 'addTags', with: () => ({ values: ['y', 'z'] }), makes: () => ({ flag: { tags: ['x', 'y', 'z'] } }) },
  { kind: 'removeTags', with: () => ({ values: ['x', 'q'] }), makes: () => ({ flag: { tags: ['y'] } }) },
  { kind: 'makeFlagPermanent', makes: () => ({ flag: { temporary: false } }) },
  {
    kind: 'makeFlagTemporary',
    first: () => [{ kind: 'makeFlagPermanent' }],
    makes: () => ({ flag: { temporary: true } }),
  },
  { kind: 'removeMaintainer', makes: () => ({ flag: { maintainerId: undefined, _maintainer: undefined } }) },
  {
    kind: 'updateMaintainerTeam',
    with: () => ({ value: 'growth' }),
    makes: () => ({ flag: { maintainerTeamKey: 'growth', maintainerId: undefined, _maintainer: undefined } }),
  },
  {
    kind: 'updateMaintainerMember',
    first: () => [{ kind: 'updateMaintainerTeam', value: 'growth' }],
    with: (p) => ({ value: p.memberId }),
    makes: (p) => ({
      flag: {
        maintainerTeamKey: undefined,
        maintainerId: p.memberId,
        _maintainer: expect.objectContaining({ _id: p.memberId }),
      },
    }),
  },
  {
    kind: 'turnOnClientSideAvailability',
    with: () => ({ value: 'usingEnvironmentId' }),
    makes: () => ({ flag: { clientSideAvailability: { usingEnvironmentId: true, usingMobileKey: true } } }),
  },
  {
    kind: 'turnOffClientSideAvailability',
    with: () => ({ value: 'usingMobileKey' }),
    makes: () => ({ flag: { clientSideAvailability: { usingEnvironmentId: false, usingMobileKey: false } } }),
  },
  { kind: 'updateDescription', with: () => ({ value: 'Paint' }), makes: () => ({ flag: { description: 'Paint' } }) },
  { kind: 'updateName', with: () => ({ value: 'Paint' }), makes: () => ({ flag: { name: 'Paint' } }) },

  {
    kind: 'archiveFlag',
    makes: () => ({ flag: { archived: true, archivedDate: String(start + 60_000) } }),
  },
  {
    kind: 'restoreFlag',
    first: () => [{ kind: 'archiveFlag' }],
    makes: () => ({ flag: { archived: false, archivedDate: undefined } }),
  },
  {
    kind: 'deprecateFlag',
    makes: () => ({ flag: { deprecated: true, deprecatedDate: String(start + 60_000) } }),
  },
  {
    kind: 'restoreDeprecatedFlag',
    first: () => [{ kind: 'deprecateFlag' }],
    makes: () => ({ flag: { deprecated: false, deprecatedDate: undefined } }),
  },
]
