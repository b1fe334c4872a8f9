import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { storageConformance } from './storage-conformance.ts'
import { defects, withDefect } from './test/defective-storages.ts'

describe('storageConformance', () => {
  it.each(Object.entries(defects))('fails for a storage that %s', async (_, [group, defect]) => {
    const cases = storageConformance({ open: async () => withDefect(defect) }).filter(
      (conformanceCase) => conformanceCase.group === group,
    )
    const results = await Promise.allSettled(cases.map(({ run }) => run()))
    expect(results.filter(({ status }) => status === 'rejected')).not.toEqual([])
  })

  it('fails for a storage that loses its data when it is reopened', async () => {
    const open = async () => createMemoryStorage()
    const cases = storageConformance({ open, reopen: open }).filter(({ group }) => group === 'durability')
    const results = await Promise.allSettled(cases.map(({ run }) => run()))
    expect(results.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(4)
  })

  it('has durability cases only when the harness has `reopen`', () => {
    const open = async () => createMemoryStorage()
    const groups = (reopen: boolean) =>
      new Set(storageConformance({ open, ...(reopen && { reopen: open }) }).map((c) => c.group))
    expect(groups(true).has('durability')).toBe(true)
    expect(groups(false).has('durability')).toBe(false)
  })

  it('gives each case of a group a different name', () => {
    const open = async () => createMemoryStorage()
    const names = storageConformance({ open, reopen: open }).map(({ group, name }) => `${group}: ${name}`)
    expect(new Set(names).size).toBe(names.length)
  })

  it('opens one storage for all cases that do not open their own', async () => {
    let opened = 0
    const open = async () => {
      opened++
      return createMemoryStorage()
    }
    const cases = storageConformance({ open }).filter(({ group }) => group === 'commits')
    await Promise.all(cases.map(({ run }) => run()))
    expect(opened).toBe(1)
  })
})
