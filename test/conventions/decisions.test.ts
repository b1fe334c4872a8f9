import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const folder = 'docs/decisions'
const index = path.join(folder, 'README.md')
const read = (file: string) => readFileSync(file, 'utf8')
const records = readdirSync(folder).filter((file) => /^\d{4}-.*\.md$/.test(file))

const headingsOf = (text: string) => [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading as string)

describe('the decision records', () => {
  it.each(records)('%s has its number in the title, and the three sections in order', (file) => {
    const [title, ...sections] = headingsOf(read(path.join(folder, file)))
    expect(title).toMatch(new RegExp(`^${file.slice(0, 4)}: `))
    const requiredSections = sections.filter((section) => ['Context', 'Decision', 'Consequences'].includes(section))
    expect(requiredSections).toEqual(['Context', 'Decision', 'Consequences'])
  })

  it('are listed in the index, once each', () => {
    const listed = [...read(index).matchAll(/^\| \d{4} \| \[[^\]]+\]\(([^)]+)\)/gm)].map(([, file]) => file)
    expect(listed.sort(), `add or remove rows of ${index}`).toEqual(records)
  })

  it('agree with the index about numbered decisions that are not built yet', () => {
    const sections = records.flatMap((file) => read(path.join(folder, file)).split(/^(?=#+ )/m))
    const decided = sections.flatMap((section) => {
      const number = /^### (D\d+): /.exec(section)?.[1]
      return number ? [`${number} ${section.includes('not built yet') ? 'not built yet' : 'built'}`] : []
    })
    const listed = [...read(index).matchAll(/^\| (D\d+) \| \[[^\]]+\]\([^)]+\)( \(not built yet\))?/gm)].map(
      ([, number, mark]) => `${number} ${mark ? 'not built yet' : 'built'}`,
    )
    expect(listed.sort(), `correct the rows of ${index}`).toEqual(decided.sort())
  })
})
