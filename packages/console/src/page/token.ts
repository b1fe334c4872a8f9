const place = 'halyard-token'

/** The token of this tab. Other tabs, and the tab after it was closed, do not have it. */
export const token = {
  read: (): string | undefined => sessionStorage.getItem(place) ?? undefined,
  keep: (value: string): void => sessionStorage.setItem(place, value),
  forget: (): void => sessionStorage.removeItem(place),
}
