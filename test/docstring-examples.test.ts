import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { format } from 'node:util'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { root } from './root.ts'

const folder = path.join(root, 'docs/examples/api')
const examples = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))

// Examples may open files in the working directory.
const workingDirectory = process.cwd()
const temporary = mkdtempSync(path.join(tmpdir(), 'halyard-examples-'))
beforeAll(() => process.chdir(temporary))
afterAll(() => {
  process.chdir(workingDirectory)
  rmSync(temporary, { recursive: true })
})

it.each(examples)('the docstring example %s prints what its comments say', async (example) => {
  const file = path.join(folder, example)
  const print = vi.spyOn(console, 'log').mockImplementation(() => {})
  try {
    await import(file)
    const lines = print.mock.calls.map((line) => format(...line))
    const expected = [...readFileSync(file, 'utf8').matchAll(/^ *console\.log\(.*\) \/\/ (.*)$/gm)]
    expect(lines).toEqual(expect.arrayContaining(expected.map(([, line]) => line)))
  } finally {
    print.mockRestore()
  }
})
