import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { describedChange, writingOperations } from './test/described-change.ts'
import { coreSources, type LoggedState, type StoredDocument } from './test/logged-state.ts'

const { maxSentenceCharacters, sentenceVerbs } = (await import(
  path.join(coreSources, 'rules/sentences/sentence.ts')
)) as typeof import('../../../core/src/rules/sentences/sentence.ts')

/** Operations whose example has no entry in the change log, with the reasons. */
const withoutEntry: Readonly<Record<string, string>> = {
  copyFlag: 'the two configurations of the example are equal',
  postMigrationSafetyIssues: 'it changes nothing',
  createBigSegmentExport: 'exports are not part of the account that callers change',
  putBranch: 'code references are ingested',
  createExtinctions: 'code references are ingested',
  generateTrustPolicy: 'the external id is internal',
  createFlagEvents: 'evaluations are ingested',
  createLeadTimeSamples: 'samples are ingested',
  createCommits: 'commits are ingested',
  replayDestination: 'it delivers entries that exist',
  replayWebhook: 'it delivers entries that exist',
  replayWebhookDelivery: 'it delivers entries that exist',
  createContextInstances: 'contexts are ingested',
  evaluateContextInstance: 'it changes nothing',
  getContextInstanceSegmentsMembershipByEnv: 'it changes nothing',
  searchChangeLog: 'it changes nothing',
  countChangeLog: 'it changes nothing',
  searchContextInstances: 'it changes nothing',
  searchContexts: 'it changes nothing',
  simulateChanges: 'it changes nothing',
  testWebhook: 'it changes nothing',
}

/** Returns the names of the environments that contain the changed resources of an entry. */
function environmentNames({ accesses }: { accesses: readonly { resource: string }[] }, state: LoggedState) {
  const environments = [...state.values()].filter(({ collection }) => collection.name === 'environment')
  return environments
    .filter(({ resource }) => accesses.some((access) => access.resource.startsWith(`${resource}:`)))
    .map(({ body }: StoredDocument) => (body as { readonly name: string }).name)
}

describe('the change log entry of the example of an operation', async () => {
  it.each((await writingOperations()).map((operation) => ({ operation, id: operation.id })))(
    '$id has a sentence about what the person did, with names',
    async ({ operation }) => {
      const { entry, before, after, close } = await describedChange(operation)
      await close()
      expect(entry === undefined, 'has no entry').toBe(operation.id in withoutEntry)
      if (!entry) return
      const { titleVerb: line, title, description, name } = entry
      for (const sentence of description.split('\n')) {
        expect(sentenceVerbs).toContain(sentence.split(' ')[0])
        expect(sentence).not.toMatch(/undefined|\[object|\bnull\b/)
      }
      expect([...line].length).toBeLessThanOrEqual(maxSentenceCharacters)
      expect(line).toContain(description.split('\n')[0])
      // A sentence that begins with `updated the` is the general one, for changes without known details. No example may
      // have it.
      expect(line).not.toMatch(/^updated the/)
      expect(line).not.toContain(operation.summary)
      // A name that changes occurs in two parts: `renamed the link Ticket 1 of Checkout to Ticket 3`.
      for (const word of name.replace(/[“”]/g, '').split(' ')) expect(line).toContain(word)
      expect(title).toBe(`${title.split(` ${line}`)[0]} ${line}`)
      for (const environment of environmentNames(entry, new Map([...before, ...after])))
        expect(line).toContain(environment)
    },
  )
})

/** An element with the properties of the elements of all lists. */
const element = {
  _id: 'x',
  id: 'x',
  key: 'x',
  values: ['x'],
  variation: 0,
  contextKind: 'org',
  contextKey: 'y',
  expiresAt: 1,
}

const changedObject = (value: object) =>
  Object.fromEntries(Object.entries(value).map(([name, content]) => [name, changedValues(content)[0]]))

/** A changed value of the same type, and values of all types for properties that a document does not have. */
function changedValues(value: unknown): readonly unknown[] {
  if (typeof value === 'boolean') return [!value]
  if (typeof value === 'number') return [value + 1]
  if (typeof value === 'string') return [`${value}x`]
  if (Array.isArray(value)) return value.length > 0 ? [value.slice(1)] : [['x'], [element]]
  if (typeof value === 'object' && value !== null) return [{ ...value, x: 1 }, changedObject(value)]
  return ['x', 1, true, ['x'], [element], {}]
}

describe('every property that callers can change', async () => {
  const { changeSentences } = (await import(
    path.join(coreSources, 'operation/change-log/entry-sentences.ts')
  )) as typeof import('../../../core/src/operation/change-log/entry-sentences.ts')
  const documents = new Map<string, StoredDocument>()
  for (const operation of (await writingOperations()).filter(({ id }) => /^create|^put|^apply|^patch/.test(id))) {
    const { after, close } = await describedChange(operation)
    await close()
    for (const document of after.values()) documents.set(document.collection.name, document)
  }

  it('is tested for every collection whose documents the examples store', () => {
    expect(documents.size).toBeGreaterThan(35)
  })

  it.each([...documents.values()].map((document) => ({ document, name: document.collection.name })))(
    'of $name has a sentence of its own',
    ({ document: { collection, body } }) => {
      const it = 'Checkout in Production'
      const subject = {
        name: 'Checkout',
        place: ' in Production',
        it,
        noun: 'flag',
        nameOf: (_: string, key: string) => key,
      }
      const properties = Object.entries(collection.changes ?? {}).filter(([, action]) => action !== null)
      const propertiesOf = new Map<string, string>()
      for (const [property] of properties) {
        const before = { ...body, version: 1 } as Record<string, unknown> & { version: number }
        const sentences = changedValues(before[property]).flatMap((value) => {
          try {
            const after = { ...before, [property]: value }
            return changeSentences(collection as never, { before, after }, subject, [property])
          } catch {
            // The sentence fails for a value of a type that the property cannot have.
            return []
          }
        })
        if (`${collection.name}.${property}` in ownForms) continue
        const silent = silentProperties[`${collection.name}.${property}`] !== undefined
        expect(sentences.length === 0, property).toBe(silent)
        for (const sentence of sentences) {
          expect(sentenceVerbs, property).toContain(sentence.split(' ')[0])
          expect(sentence, property).toContain('Checkout')
          const owner = propertiesOf.get(sentence) ?? property
          expect([property, sharedSentences[`${collection.name}.${property}`]], sentence).toContain(owner)
          propertiesOf.set(sentence, owner)
        }
      }
    },
  )
})

/** Properties whose values this test cannot generate, with the tests that check their sentences. */
const ownForms: Readonly<Record<string, string>> = {
  'flag-config.automatedReleases': 'the instructions of releases have sentences of their own',
  'layer.reservations': 'the instructions of layers have sentences of their own',
}

/** Properties whose change is described by the sentence of another property. */
const silentProperties: Readonly<Record<string, string>> = {
  'release.pipelineId': 'changes with the id of the release',
  'release.pipelineKey': 'changes with the id of the release',
}

/** Properties that share their sentences with another property. */
const sharedSentences: Readonly<Record<string, string>> = {
  'flag.maintainerTeamKey': 'maintainerId',
}
