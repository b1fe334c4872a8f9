import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type DeclaredFlag, flagDeclarations } from './flag-declarations.ts'
import { compileFiles } from './test/compile-files.ts'

/** Texts that are difficult to write into a TypeScript file. */
const hardText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('*/', '/**', '@deprecated', "'", '\\', "\\'", '\u2028', '\r\n', '`${1}`', '</script>', 'constructor'),
)

/**
 * The literal `{ __proto__: 1 }` has no property of that name, so this name cannot be written down for the comparison.
 */
const name = hardText.filter((text) => text !== '__proto__')

const json = fc.letrec<{ value: unknown; list: unknown; record: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    hardText,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    tie('list'),
    tie('record'),
  ),
  list: fc.array(tie('value'), { maxLength: 3 }),
  record: fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
}))

const values = fc.oneof(
  fc.array(hardText, { minLength: 1, maxLength: 3 }),
  fc.array(fc.oneof(json.list, json.record, fc.constant(null)), { minLength: 1, maxLength: 3 }),
  fc.array(json.value, { minLength: 1, maxLength: 3 }),
)

const flag: fc.Arbitrary<DeclaredFlag> = fc.record({
  key: name,
  name: hardText,
  description: fc.array(hardText).map((texts) => texts.join(' ')),
  variations: values.map((generated) => generated.map((value) => ({ value }))),
  deprecated: fc.boolean(),
  archived: fc.constant(false),
})

const projects = fc.array(fc.uniqueArray(flag, { selector: ({ key }) => key, maxLength: 4 }), {
  minLength: 30,
  maxLength: 30,
})

it('a generated file compiles for any flags, and its types accept their values', () => {
  fc.assert(
    fc.property(projects, (generated) => {
      const files = generated.map((flags, index) => {
        const values = Object.fromEntries(
          flags.map(({ key, variations }) => [key, variations.map(({ value }) => value)]),
        )
        const use = `const values: { [K in keyof Flags]: readonly Flags[K][] } = ${JSON.stringify(values)}\nvoid values\n`
        return [`flags-${index}.ts`, `${flagDeclarations(flags, 'shop', [])}${use}`] as const
      })
      const { errorsOf, program } = compileFiles(Object.fromEntries(files), { lib: ['lib.es5.d.ts'], types: [] })
      const checker = program.getTypeChecker()
      for (const [index, [file]] of files.entries()) {
        expect(errorsOf(file)).toEqual([])
        const source = program.getSourceFiles().find(({ fileName }) => fileName.endsWith(`/${file}`))
        const [declared] = checker.getExportsOfModule(checker.getSymbolAtLocation(source as never) as never)
        const properties = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(declared as never))
        // The code declares exactly the flags of the project, and no text of a user marks a property as deprecated.
        const actual = properties.map((property) => [
          property.name.replace(/^___/, '__'),
          property.getJsDocTags(checker).map((tag) => tag.name),
        ])
        const expected = (generated[index] as DeclaredFlag[]).map(({ key, deprecated }) => [
          key,
          deprecated ? ['deprecated'] : [],
        ])
        expect(new Map(actual as never)).toEqual(new Map(expected as never))
      }
    }),
    { numRuns: 3 },
  )
})
