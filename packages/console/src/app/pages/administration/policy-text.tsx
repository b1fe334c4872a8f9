import { type Statement, type StatementError, validateStatements } from '@halyard/core/policy'
import { readJson } from '../../components/json-text.ts'
import { texts } from '../../texts.ts'

const { policy: words } = texts

/** Result of reading the text of a policy: its statements, or the reason why the text is not a policy. */
export type ReadPolicy = { readonly statements: readonly Statement[] } | { readonly errors: readonly StatementError[] }

/** Parses and validates the text of a policy. */
export function readPolicy(text: string): ReadPolicy {
  const json = readJson(text)
  if ('error' in json) return { errors: [{ attribute: '', reason: words.notJson(json.error) }] }
  const errors = validateStatements(json.value)
  // Cast: the statements are valid.
  return errors.length > 0 ? { errors } : { statements: json.value as readonly Statement[] }
}

/** The errors of the text of a policy. */
export function PolicyErrors({ errors }: { errors: readonly StatementError[] }) {
  return (
    <div role="status">
      <h2>{words.errors}</h2>
      <ul>
        {errors.map(({ attribute, reason }) => (
          <li key={attribute} class="error">
            {attribute && <code>{attribute}</code>} {reason}
          </li>
        ))}
      </ul>
    </div>
  )
}
