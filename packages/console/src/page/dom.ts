/** The element of the page with this id; the page is written so that it is there. */
export function byId<Element extends HTMLElement = HTMLElement>(id: string): Element {
  const found = document.getElementById(id)
  if (!found) throw new Error(`the page has no #${id}`)
  return found as Element
}

/** Makes an element; strings become text and never markup. */
export function made<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children)
  return element
}

/** Fills a list to choose from, and chooses. */
export function fillSelect(id: string, options: readonly (readonly [value: string, text: string])[], chosen: string) {
  const select = byId<HTMLSelectElement>(id)
  const known = options.some(([value]) => value === chosen)
  if (!known) return fillSelect(id, [[chosen, 'choose …'], ...options], chosen)
  const same =
    select.options.length === options.length && options.every(([value], at) => select.options[at]?.value === value)
  // What stays the same is not made anew: a list that is open would close.
  if (!same) select.replaceChildren(...options.map(([value, text]) => made('option', { value }, text)))
  select.value = chosen
}
