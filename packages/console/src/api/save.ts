/** Has the browser save a file. */
export function saveBlob(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

export function saveText(name: string, text: string): void {
  saveBlob(name, new Blob([text], { type: 'application/octet-stream' }));
}
