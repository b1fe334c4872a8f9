import { expect, it } from 'vitest'
import type { FlagFormat } from '../flag-format.ts'
import { growthbookFormat } from '../growthbook/growthbook-format.ts'
import { referenceFormat } from '../reference/reference-format.ts'
import { compareExport } from '../test/compare-export.ts'
import { unleashFormat } from '../unleash/unleash-format.ts'

const unleash = (archived: boolean) => {
  const feature = { name: 'banner', enabled: true, archived, strategies: [{ name: 'default' }] }
  const variant = { name: 'red', weight: 1000, payload: { type: 'string', value: '#f00' } }
  return { features: [feature, { ...feature, name: 'colour', variants: [variant] }] }
}

const reference = (archived: boolean) => {
  const config = { on: true, archived, rules: [], targets: [], fallthrough: { variation: 0 }, offVariation: 1 }
  const values = (key: string, ...list: readonly unknown[]) => ({
    ...{ key, name: key, archived, environments: { production: config } },
    variations: list.map((value) => ({ value })),
  })
  return { items: [values('banner', true, false), values('colour', '#f00', '')] }
}

const growthbook = (archived: boolean) => {
  const feature = (id: string, valueType: string, value: string) => {
    const definition = JSON.stringify({ defaultValue: valueType === 'boolean' ? value === 'true' : value })
    const production = { enabled: true, defaultValue: value, rules: [], definition }
    return { id, archived, valueType, defaultValue: value, tags: [], environments: { production } }
  }
  return { features: [feature('banner', 'boolean', 'true'), feature('colour', 'string', '#f00')] }
}

const formats: readonly [string, FlagFormat, (archived: boolean) => unknown][] = [
  ['Unleash', unleashFormat, unleash],
  ['the reference API', referenceFormat, reference],
  ['GrowthBook', growthbookFormat, growthbook],
]

it.each(formats)(
  'archived flags are compared, and evaluate to the default in code: %s',
  async (_, format, exportOf) => {
    const contexts = { contexts: [{ kind: 'user', key: 'kim' }], sampled: 20, written: true }
    const { importedProject, comparisons } = await compareExport(format, [exportOf(true)], contexts)
    expect(importedProject.flags.map(({ archived }) => archived)).toEqual([true, true])
    expect(comparisons.map(({ flag, verdict, contexts }) => [flag, verdict, contexts])).toEqual([
      ['banner', 'same', 21],
      ['colour', 'same', 21],
    ])
  },
)

// GrowthBook exports an archived feature in the same way as a feature that is off. Neither has a value.
it.each(formats.slice(0, 2))('a flag whose archived state was lost would differ: %s', async (_, format, exportOf) => {
  const contexts = { contexts: [], sampled: 20, written: true }
  const unarchivingFormat: FlagFormat = {
    ...format,
    read: (values, options) => {
      const read = format.read(values, options)
      if (!read.ok) return read
      const flags = read.importedProject.flags.map((flag) => ({ ...flag, archived: false }))
      return { ok: true, importedProject: { ...read.importedProject, flags } }
    },
  }
  const { comparisons } = await compareExport(unarchivingFormat, [exportOf(true)], contexts)
  expect(comparisons.map(({ flag, verdict }) => [flag, verdict])).toEqual([
    ['banner', 'differs'],
    ['colour', 'differs'],
  ])
  expect(comparisons[0]?.example?.old.value).toBeUndefined()
})
