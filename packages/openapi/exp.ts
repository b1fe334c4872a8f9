import { writeFileSync } from 'node:fs'
import { createEngine } from '@halyard/core'
import { openApiDocument } from '@halyard/openapi'
import { createMemoryStorage } from '@halyard/storage-memory'
import { recordExamples } from '@halyard/testing'
import { Validator } from '@seriousme/openapi-schema-validator'

const { operations } = createEngine({ storage: createMemoryStorage() })
const examples = await recordExamples()
let t = performance.now()
const doc = openApiDocument(operations, { version: '0.1.0', examples })
console.log('make', performance.now() - t)
const bare = openApiDocument(operations, { version: '0.1.0' })
writeFileSync('/tmp/doc.json', JSON.stringify(doc, null, 1))
console.log(JSON.stringify(doc).length, JSON.stringify(bare).length, Object.keys(doc.components.schemas).length)
console.log(Object.keys(doc.components.schemas).join(' '))
t = performance.now()
const r = await new Validator().validate(JSON.parse(JSON.stringify(doc)))
console.log(r.valid, JSON.stringify(r.errors)?.slice(0, 2000), performance.now() - t)
