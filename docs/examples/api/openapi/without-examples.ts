import { openApiDocument, withoutExamples, writeDocument } from '@halyard/openapi'
import { createTestEngine } from '@halyard/testing'

const { operations } = await createTestEngine()
const document = openApiDocument(operations, { version: '1.0.0' })
console.log(writeDocument(withoutExamples(document)).includes('"example"')) // false
