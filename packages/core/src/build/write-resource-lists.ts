import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { resourceLists, sourceFolder } from './resource-lists.ts'

for (const file of await resourceLists()) writeFileSync(path.join(sourceFolder, file.path), file.text)
