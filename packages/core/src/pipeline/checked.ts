import { fail } from '../operation/errors.ts'
import { parse, type Schema } from '../operation/schema.ts'

/** The value as a schema makes it, or the failure that names every fault of it (D3). */
export function checked(schema: Schema, value: unknown): unknown {
  const result = parse(schema, value)
  return result.ok ? result.value : fail('invalid_request', { errors: result.faults })
}
