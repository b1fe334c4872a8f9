import { describe, expect, it } from 'vitest'
import { maxSentenceCharacters, sentenceVerbs } from '../../../rules/sentences/sentence.ts'
import { flagWideInstructions } from '../test/flag-wide-instructions.ts'
import type { InstructionCase } from '../test/instruction-case.ts'
import { type PaintedFlag, paintedFlag } from '../test/painted-flag.ts'
import { targetingInstructions } from '../test/targeting-instructions.ts'

const environmentKinds = new Set(targetingInstructions.map(({ kind }) => kind))
const cases = [...targetingInstructions, ...flagWideInstructions]
  .map((entry) => ({ ...entry, title: `${entry.kind} ${entry.note ?? ''}`.trim() }))
  .filter(({ kind }, index, all) => all.findIndex((other) => other.kind === kind) === index)

/** A JSON Patch cannot change a release that runs; the revert of an entry can. */
const ofRunningReleases = ['holdAutomatedRelease', 'resumeAutomatedRelease', 'stopAutomatedRelease']
const invertibleCases = cases.filter(({ kind }) => !ofRunningReleases.includes(kind))

/** Applies the instruction of a case to a flag with the name `Checkout`. */
async function applied({ kind, with: properties, first }: InstructionCase) {
  const project: PaintedFlag = await paintedFlag()
  await project.patch('f', [{ op: 'replace', path: '/name', value: 'Checkout' }])
  if (first) await project.instruct('f', first(project))
  const before = await project.get('f')
  await project.instruct('f', [{ kind, ...properties?.(project) }])
  const after = await project.get('f')
  const { items } = await project.api.listChangeLog({ limit: 1 }, { as: project.as })
  return { project, before, after, entry: items[0] as (typeof items)[number] }
}

describe('the change log entry of an instruction', () => {
  it.each(cases)('$title: describes the effect with the names of the flag and the environment', async (entryCase) => {
    const { entry } = await applied(entryCase)
    const line = entry.titleVerb
    expect(sentenceVerbs).toContain(line.split(' ')[0])
    expect(line).toContain('Checkout')
    expect(line.includes('Production')).toBe(environmentKinds.has(entryCase.kind))
    expect([...line].length).toBeLessThanOrEqual(maxSentenceCharacters)
    expect(line).not.toMatch(/undefined|\[object/)
    expect(entry.title).toBe(`ada@example.com ${line}`)
  })

  it('has a different sentence for each kind of instruction', async () => {
    const lines = new Map<string, string>()
    for (const each of cases) {
      const { titleVerb } = (await applied(each)).entry
      expect(lines.get(titleVerb) ?? each.kind, titleVerb).toBe(each.kind)
      lines.set(titleVerb, each.kind)
    }
  })

  it.each(invertibleCases)('$title: has an inverse that restores the flag as a JSON Patch', async (entryCase) => {
    const { project, before, entry } = await applied(entryCase)
    const inverse = entry.delta.flatMap((delta) => delta.inverse)
    expect(inverse).not.toEqual([])
    const restored = await project.patch('f', inverse as never)
    expect(withoutVersions(restored)).toEqual(withoutVersions(before))
  })

  it('has the same sentence as the entry of a JSON Patch with the same effect', async () => {
    const project = await paintedFlag()
    const lineAfter = async (change: Promise<unknown>) => {
      await change
      return (await project.api.listChangeLog({ limit: 1 }, { as: project.as })).items[0]?.titleVerb
    }
    const replace = (path: string, value: unknown) => project.patch('f', [{ op: 'replace', path, value }])
    expect(await lineAfter(project.instruct('f', [{ kind: 'turnFlagOn' }]))).toBe('turned on f in Production')
    expect(await lineAfter(replace('/environments/production/on', false))).toBe('turned off f in Production')
    expect(await lineAfter(replace('/environments/production/on', true))).toBe('turned on f in Production')
    expect(await lineAfter(project.instruct('f', [{ kind: 'updateName', value: 'g' }]))).toBe('renamed f to g')
    expect(await lineAfter(replace('/name', 'f'))).toBe('renamed g to f')
    expect(await lineAfter(project.instruct('f', [{ kind: 'addTags', values: ['z'] }]))).toBe('added the tag z to f')
    expect(await lineAfter(replace('/tags', ['x', 'y']))).toBe('removed the tag z from f')
    expect(await lineAfter(project.instruct('f', [{ kind: 'archiveFlag' }]))).toBe('archived f')
    expect(await lineAfter(replace('/archived', false))).toBe('restored f')
  })

  it('omits instructions without effect, and only counts those that do not fit into the sentence', async () => {
    const project = await paintedFlag()
    const turnOn = { kind: 'turnFlagOn' }
    const rename = { kind: 'updateName', value: 'Till' }
    await project.instruct('f', [{ kind: 'addTags', values: ['x'] }, turnOn, turnOn, rename])
    const [entry] = (await project.api.listChangeLog({ limit: 1 }, { as: project.as })).items
    expect(entry?.titleVerb).toBe('turned on f in Production; renamed f to Till')
    const tags = Array.from({ length: 12 }, (_, i) => ({ kind: 'addTags', values: [`${i}`.padStart(40, 'tag')] }))
    await project.instruct('f', tags)
    const [long] = (await project.api.listChangeLog({ limit: 1 }, { as: project.as })).items
    expect(long?.titleVerb).toMatch(/; and \d+ more$/)
    expect([...(long?.titleVerb ?? '')].length).toBeLessThanOrEqual(maxSentenceCharacters)
    expect(long?.description.split('\n')).toHaveLength(12)
  })
})

/** Returns a flag without versions, times and counts, which differ between a flag and its restored copy. */
function withoutVersions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutVersions)
  if (typeof value !== 'object' || value === null) return value
  const ignored = new Set(['version', '_version', 'lastModified', 'archivedDate', 'deprecatedDate', '_access'])
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, content]) => !ignored.has(name) && content !== undefined)
      .map(([name, content]) => [name, withoutVersions(content)]),
  )
}
