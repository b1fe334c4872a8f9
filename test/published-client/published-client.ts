import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import ts from 'typescript'

/** The part of JSON Schema that the published types use. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** An operation of the published TypeScript client. */
export interface ClientOperation {
  readonly id: string
  /** Method, and path with unnamed parameters, e.g. `GET /api/v2/flags/{}`. */
  readonly route: string
  /** Names of the parameters in the path, in their order. */
  readonly pathNames: readonly string[]
  /** Name of the class of the client that has the function of the operation. */
  readonly api: string
  readonly parameters: readonly ClientParameter[]
  /** The properties that the description of the operation lists for `expand`. */
  readonly expansions: readonly string[]
  /** Schema of the response; undefined when the operation has no response body. */
  readonly response: JsonSchema | undefined
}

/** A parameter of a function of the client, and the part of the request that it becomes. */
export interface ClientParameter {
  readonly in: 'path' | 'query' | 'header' | 'body'
  /** Name in the request. */
  readonly name: string
  /** Schema of a body. */
  readonly schema?: JsonSchema
}

/** The operations of the published TypeScript client, and the types to which their schemas refer. */
export interface PublishedClient {
  readonly operations: readonly ClientOperation[]
  readonly definitions: Readonly<Record<string, JsonSchema>>
}

/** Reads the operations of the published TypeScript client from its source, and the types of their responses. */
export function readPublishedClient(): PublishedClient {
  const path = createRequire(import.meta.url)
    .resolve('launchdarkly-api-typescript')
    .replace(/dist[\\/].*$/, 'api.ts')
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022, true)
  const definitions: Record<string, JsonSchema> = {}
  const requests = new Map<string, ClientRequest & Pick<ClientOperation, 'expansions'>>()
  const responses = new Map<string, JsonSchema | undefined>()
  for (const statement of source.statements) {
    if (ts.isInterfaceDeclaration(statement)) definitions[statement.name.text] = objectSchema(statement.members)
    if (!ts.isVariableStatement(statement)) continue
    for (const { name, initializer } of statement.declarationList.declarations) {
      const values = initializer && constantValues(initializer)
      if (values) definitions[name.getText()] = { enum: values }
      else if (initializer) collectOperations(initializer, name.getText(), requests, responses)
    }
  }
  // Collects the types that are unions. Unions of constants were collected as enumerations above.
  for (const statement of source.statements) {
    if (ts.isTypeAliasDeclaration(statement)) definitions[statement.name.text] ??= schemaOf(statement.type)
  }
  const operations = [...requests].map(([id, request]) => ({ id, ...request, response: responses.get(id) }))
  return { operations, definitions }
}

/** Returns a method and a path as a route of `ClientOperation`. */
export function routeOf(method: string, path: string): string {
  return `${method} ${path.replace(/\{\w+\}/g, '{}')}`
}

type ClientRequest = Omit<ClientOperation, 'id' | 'response' | 'expansions'>

/** Returns the names in the list of properties that a description has under its heading about `expand`. */
function expansionsIn(description: string): string[] {
  const [, section = ''] = /### Expanding([\s\S]*?)(?:###|\*\/)/.exec(description) ?? []
  return [...new Set([...section.matchAll(/[-*] `([\w-]+)`/g)].map(([, name = '']) => name))]
}

/**
 * Adds the requests and the response types in a part of the source to two maps. The client has two functions for each
 * operation: one makes the request, the other has the type of the response.
 */
function collectOperations(
  node: ts.Node,
  container: string,
  requests: Map<string, ClientRequest & Pick<ClientOperation, 'expansions'>>,
  responses: Map<string, JsonSchema | undefined>,
): void {
  if (ts.isPropertyAssignment(node) && ts.isArrowFunction(node.initializer)) {
    const request = requestOf(node.initializer, container.replace('AxiosParamCreator', ''))
    if (request) requests.set(node.name.getText(), { ...request, expansions: expansionsIn(node.getFullText()) })
    return
  }
  if (ts.isMethodDeclaration(node) && node.type) {
    const type = /AxiosPromise<(.*)>>$/.exec(node.type.getText())?.[1]
    if (type) responses.set(node.name.getText(), type === 'void' ? undefined : schemaOf(parseType(type)))
    return
  }
  node.forEachChild((child) => collectOperations(child, container, requests, responses))
}

/** Reads a function that makes a request; undefined for any other. */
function requestOf(arrow: ts.ArrowFunction, api: string): ClientRequest | undefined {
  const text = arrow.getText()
  const path = /const localVarPath = `([^`]+)`/.exec(text)?.[1]
  const method = /method: '([A-Z]+)'/.exec(text)?.[1]
  if (!path || !method) return undefined
  const pathNames = new Map(capture(text, /\{\$\{"([^"]+)"\}\}`, encodeURIComponent\(String\((\w+)\)\)/g))
  const queryNames = new Map(capture(text, /localVarQueryParameter\['([^']+)'\] = \(?(\w+)/g))
  const parameters = arrow.parameters
    .filter((parameter) => parameter.name.getText() !== 'options')
    .map(({ name: nameNode, type }): ClientParameter => {
      const name = nameNode.getText()
      const pathName = pathNames.get(name)
      if (pathName) return { in: 'path', name: pathName }
      const queryName = queryNames.get(name)
      if (queryName) return { in: 'query', name: queryName }
      if (!text.includes(`serializeDataIfNeeded(${name},`)) return { in: 'header', name }
      return { in: 'body', name, ...(type ? { schema: schemaOf(type) } : {}) }
    })
  const namesInOrder = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return { route: routeOf(method, path), pathNames: namesInOrder, api, parameters }
}

/** Returns the pairs of the second and the first group of all matches. */
function capture(text: string, pattern: RegExp): [string, string][] {
  return [...text.matchAll(pattern)].map(([, first = '', second = '']) => [second, first])
}

function parseType(text: string): ts.TypeNode {
  const source = ts.createSourceFile('type.ts', `type T = ${text}`, ts.ScriptTarget.ES2022, true)
  const [statement] = source.statements
  if (!statement || !ts.isTypeAliasDeclaration(statement)) throw new Error(`not a type: ${text}`)
  return statement.type
}

/** Returns the values of an object literal `{ A: 'a', B: 'b' } as const`. */
function constantValues(node: ts.Expression): string[] | undefined {
  const literal = ts.isAsExpression(node) ? node.expression : node
  if (!ts.isObjectLiteralExpression(literal)) return undefined
  const values = literal.properties.map((property) =>
    ts.isPropertyAssignment(property) && ts.isStringLiteral(property.initializer) ? property.initializer.text : '',
  )
  return values.includes('') ? undefined : values
}

function objectSchema(members: ts.NodeArray<ts.TypeElement>): JsonSchema {
  const properties: Record<string, JsonSchema> = {}
  const required: string[] = []
  let additionalProperties: JsonSchema = {}
  for (const member of members) {
    if (ts.isIndexSignatureDeclaration(member)) additionalProperties = schemaOf(member.type)
    if (!ts.isPropertySignature(member) || !member.type) continue
    const name = (member.name as ts.StringLiteral | ts.Identifier).text
    properties[name] = schemaOf(member.type)
    if (!member.questionToken) required.push(name)
  }
  return { type: 'object', properties, required, additionalProperties }
}

function schemaOf(type: ts.TypeNode): JsonSchema {
  if (ts.isParenthesizedTypeNode(type)) return schemaOf(type.type)
  if (ts.isUnionTypeNode(type)) return { anyOf: type.types.map(schemaOf) }
  if (ts.isTypeLiteralNode(type)) return objectSchema(type.members)
  if (ts.isLiteralTypeNode(type)) return { const: JSON.parse(type.getText().replaceAll("'", '"')) }
  if (ts.isTypeReferenceNode(type)) {
    const name = type.typeName.getText()
    const [argument] = type.typeArguments ?? []
    return name === 'Array' && argument
      ? { type: 'array', items: schemaOf(argument) }
      : { $ref: `#/definitions/${name}` }
  }
  switch (type.kind) {
    case ts.SyntaxKind.StringKeyword:
      return { type: 'string' }
    case ts.SyntaxKind.NumberKeyword:
      return { type: 'number' }
    case ts.SyntaxKind.BooleanKeyword:
      return { type: 'boolean' }
    case ts.SyntaxKind.ObjectKeyword:
      return { type: ['object', 'array'] }
    case ts.SyntaxKind.AnyKeyword:
      return {}
    default:
      throw new Error(`no schema for the type ${type.getText()}`)
  }
}
