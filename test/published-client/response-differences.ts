import { Ajv } from 'ajv'
import { readPublishedClient, routeOf } from './published-client.ts'

const { operations, definitions } = readPublishedClient()
const ajv = new Ajv({ strict: false, allErrors: true }).addSchema({ $id: 'client', definitions })

/** The types of the responses of the published client. */
export const publishedResponses = {
  operations,

  /**
   * Returns a function that finds the differences of a response from its type; undefined when the client has no
   * function for the operation.
   */
  differencesOf(method: string, path: string): ((response: unknown) => string[]) | undefined {
    const route = routeOf(method, path)
    const operation = operations.find((candidate) => candidate.route === route)
    if (!operation) return undefined
    const { response: schema } = operation
    if (!schema) return () => []
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('#/definitions', 'client#/definitions')))
    return (response) => {
      validate(response)
      return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
    }
  },
}
