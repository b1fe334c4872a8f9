import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { generatedFolder, resourceLists } from './resource-lists.ts'

mkdirSync(generatedFolder, { recursive: true })
for (const { name, text } of await resourceLists()) writeFileSync(path.join(generatedFolder, name), text)
