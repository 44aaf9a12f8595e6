// The guide reads without this: it names the gateway that serves it, and makes its examples easy to copy.
for (const block of document.querySelectorAll('.prose pre')) {
  const code = block.querySelector('code');
  code.textContent = code.textContent.replaceAll('https://gateway.example.com', location.origin);
  if (navigator.clipboard === undefined) continue;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });
  block.parentElement.append(button);
}
// On a phone the contents lie over the page that one of their links leads to.
const contents = document.getElementById('contents');
contents.addEventListener('click', ({ target }) => {
  if (target.closest('a') !== null && contents.matches(':popover-open')) contents.hidePopover();
});
