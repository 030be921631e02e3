/** Whether the database can store a text unchanged: it has no NUL character and no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** The beginning of a text, without half of a surrogate pair at its end. */
export function cutText(text: string, lengthMax: number): string {
  const cut = text.slice(0, lengthMax);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
