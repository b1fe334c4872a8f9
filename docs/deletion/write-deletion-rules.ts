import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../../test/source-imports.ts'
import { withDeletionRules } from './deletion-rules.ts'

const page = path.join(root, 'docs/guide/deletion.md')
writeFileSync(page, withDeletionRules(readFileSync(page, 'utf8')))
