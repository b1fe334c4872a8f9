import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../../test/source-imports.ts'
import { importDiagrams, withDiagrams } from './import-diagrams.ts'

const page = path.join(root, 'docs/architecture.md')
writeFileSync(page, withDiagrams(readFileSync(page, 'utf8'), importDiagrams()))
