import { createEngine } from '@halyard/core'
import type { ImportedConfig, ImportedProject } from '@halyard/import'
import { flagdFormat, referenceFormat, stepsOf, unleashFormat, writeProject } from '@halyard/import'
import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readExport } from './run-import.ts'

async function project() {
  const engine = createEngine({ storage: createMemoryStorage(), clock: () => Date.UTC(2026, 1, 1) })
  onTestFinished(() => engine.close())
  const api = engine.as({ role: 'owner' })
  await api.createProject({ body: { key: 'shop', name: 'Shop' } })
  return { engine, api, projectKey: 'shop' }
}

const writeOptions = { signal: new AbortController().signal, onProgress: () => {} }

describe('an imported export', () => {
  it('of Unleash evaluates as the original does', async () => {
    const emptyTarget = await project()
    await writeProject(await readExport(unleashFormat, 'unleash.json'), emptyTarget, writeOptions)
    const flags = emptyTarget.engine.evaluator<Record<string, unknown>>({
      projectKey: 'shop',
      environmentKey: 'development',
    })
    await flags.ready()
    const evaluate = (flag: string, attributes: object) =>
      flags.evaluate(flag, { kind: 'user', key: 'kim', ...attributes }, undefined).value
    const staff = { email: 'Kim@Example.COM', appVersion: '2.1.0' }
    expect(evaluate('checkout', {})).toBe(false)
    expect(evaluate('checkout', { key: 'ann' })).toBe(true)
    // NOT_IN is true without a country, and the segment ignores case.
    expect(evaluate('checkout', staff)).toBe(true)
    expect(evaluate('checkout', { ...staff, country: 'us' })).toBe(true)
    expect(evaluate('checkout', { ...staff, country: 'de' })).toBe(false)
    expect(evaluate('checkout', { ...staff, appVersion: '2.1' })).toBe(false)
    expect(evaluate('express-payments', {})).toBe(true)
    expect(evaluate('holidays', { currentTime: Date.UTC(2025, 11, 21) })).toBe(true)
    const flag = (flagKey: string) => emptyTarget.api.getFlag({ projectKey: 'shop', flagKey })
    const checkout = await flag('checkout')
    expect(checkout).toMatchObject({
      description: 'The new checkout',
      tags: ['web', 'team.growth'],
      temporary: true,
      customProperties: { type: { name: 'Type', value: ['release'] } },
    })
    expect(await flag('banner')).toMatchObject({
      deprecated: true,
      variations: [
        { value: '#f00', name: 'red' },
        { value: '#00f', name: 'blue' },
        { value: '', name: 'disabled' },
      ],
    })
    expect(checkout.environments?.development).toMatchObject({
      on: true,
      trackEvents: true,
      targets: [{ variation: 0, values: ['ann', 'bob'] }],
      prerequisites: [],
    })
    const express = await flag('express-payments')
    expect(express.environments?.development?.prerequisites).toEqual([{ key: 'payments', variation: 0 }])
  })

  it('of flagd evaluates as the original does', async () => {
    const emptyTarget = await project()
    await writeProject(await readExport(flagdFormat, 'flagd.json', 'staging'), emptyTarget, writeOptions)
    const flags = emptyTarget.engine.evaluator<Record<string, unknown>>({
      projectKey: 'shop',
      environmentKey: 'staging',
    })
    await flags.ready()
    const evaluate = (flag: string, attributes: object, preset?: unknown) =>
      flags.evaluate(flag, { kind: 'user', key: 'kim', ...attributes }, preset).value
    expect(evaluate('new-welcome', { email: 'kim@example.com' })).toBe(true)
    expect(evaluate('new-welcome', { email: 'kim@example.com', country: 'de' })).toBe(false)
    expect(evaluate('new-welcome', { age: 17 })).toBe(false)
    expect(evaluate('colour', { app: { version: '2.9.0' } })).toBe('#00f')
    expect(evaluate('colour', { app: { version: '3.0.0' } })).toBe('#f00')
    // The flag is disabled, so the default in code is returned.
    expect(evaluate('max-items', {}, 42)).toBe(42)
    expect(evaluate('limits', {})).toEqual({ rate: 5 })
    const welcome = await emptyTarget.api.getFlag({ projectKey: 'shop', flagKey: 'new-welcome' })
    expect(welcome.customProperties).toEqual({ team: { name: 'team', value: ['growth'] } })
    expect(welcome.environments?.staging?.rules?.at(-1)?.rollout?.variations).toEqual([
      { variation: 0, weight: 25_000 },
      { variation: 1, weight: 75_000 },
    ])
  })

  it('of the reference API keeps targets, rules and segments', async () => {
    const emptyTarget = await project()
    await writeProject(await readExport(referenceFormat, 'reference.json'), emptyTarget, writeOptions)
    const checkout = await emptyTarget.api.getFlag({ projectKey: 'shop', flagKey: 'checkout' })
    expect(checkout.environments?.production).toMatchObject({
      on: true,
      targets: [{ values: ['ann'], variation: 0, contextKind: 'user' }],
      contextTargets: [{ values: ['d-1'], variation: 1, contextKind: 'device' }],
      rules: [{ _id: 'r-staff', description: 'Staff', variation: 0, trackEvents: true, clauses: [{ _id: 'c-1' }] }],
      prerequisites: [{ key: 'payments', variation: 0 }],
      offVariation: 1,
      _environmentName: 'Production',
    })
    expect(checkout.clientSideAvailability).toEqual({ usingEnvironmentId: true, usingMobileKey: false })
    const segment = { projectKey: 'shop', environmentKey: 'production', segmentKey: 'staff' }
    expect(await emptyTarget.api.getSegment(segment)).toMatchObject({
      included: ['bob'],
      excluded: ['kim'],
      tags: ['people'],
      rules: [{ _id: 's-1', clauses: [{ attribute: 'email', op: 'endsWith', values: ['@example.com'] }] }],
    })
    const kinds = await emptyTarget.api.listContextKinds({ projectKey: 'shop' })
    expect(kinds.items.map(({ key }) => key)).toEqual(['device', 'user'])
  })
})

describe('writing an import', () => {
  it.each([
    [unleashFormat, 'unleash.json', 5],
    [flagdFormat, 'flagd.json', 4],
    [referenceFormat, 'reference.json', 2],
  ])('changes nothing the second time: $title', async (format, file, count) => {
    const emptyTarget = await project()
    const importedProject = await readExport(format, file)
    const first = await writeProject(importedProject, emptyTarget, writeOptions)
    expect(first).toMatchObject({ flags: { created: count, changed: 0, unchanged: 0 }, refused: [] })
    const newest = async () => (await emptyTarget.api.listChangeLog({ limit: 1 })).items[0]?._id
    const before = await newest()
    expect(before).toBeTypeOf('string')
    expect(await writeProject(importedProject, emptyTarget, writeOptions)).toEqual({
      flags: { created: 0, changed: 0, unchanged: count },
      segments: { created: 0, changed: 0, unchanged: importedProject.segments.length, deleted: 0 },
      refused: [],
    })
    expect(await newest()).toBe(before)
  })

  it('applies changes of the export, and keeps the indexes of variations', async () => {
    const emptyTarget = await project()
    const importedProject = await readExport(referenceFormat, 'reference.json')
    await writeProject(importedProject, emptyTarget, writeOptions)
    const withOtherVariations = (flag: ImportedProject['flags'][number]): ImportedProject['flags'][number] =>
      flag.key === 'payments'
        ? {
            ...flag,
            variations: [{ value: 'wallets' }, { value: 'none' }, { value: 'cards' }],
            configs: {
              production: {
                ...(flag.configs.production as ImportedConfig),
                fallthrough: { variation: 0 },
                offVariation: 1,
              },
            },
          }
        : flag
    const again = await writeProject(
      { ...importedProject, flags: importedProject.flags.map(withOtherVariations) },
      emptyTarget,
      writeOptions,
    )
    expect(again).toMatchObject({ flags: { created: 0, changed: 1, unchanged: 1 }, refused: [] })
    const payments = await emptyTarget.api.getFlag({ projectKey: 'shop', flagKey: 'payments' })
    expect(payments.variations.map(({ value }) => value)).toEqual(['all', 'cards', 'none', 'wallets'])
    expect(payments.environments?.production).toMatchObject({ fallthrough: { variation: 3 }, offVariation: 2 })
  })

  it('omits flags that the engine rejects, and writes the rest', async () => {
    const emptyTarget = await project()
    const importedProject = await readExport(flagdFormat, 'flagd.json')
    await emptyTarget.api.createFlag({ projectKey: 'shop', body: { key: 'limits', name: 'limits' } })
    const { flags, refused } = await writeProject(importedProject, emptyTarget, writeOptions)
    expect(flags).toEqual({ created: 3, changed: 0, unchanged: 0 })
    expect(refused).toEqual([{ what: 'flag limits', why: 'variations must be true and false' }])
  })

  it('stops when it is interrupted, and continues when it is run again', async () => {
    const emptyTarget = await project()
    const importedProject = await readExport(unleashFormat, 'unleash.json')
    const controller = new AbortController()
    const onProgress = (done: number) => {
      if (done === 6) controller.abort()
    }
    await expect(writeProject(importedProject, emptyTarget, { signal: controller.signal, onProgress })).rejects.toThrow(
      `6 of ${stepsOf(importedProject)} steps are done; run the import again to continue`,
    )
    const { flags } = await writeProject(importedProject, emptyTarget, writeOptions)
    expect(flags).toEqual({ created: 3, changed: 2, unchanged: 0 })
  })
})
