// What is wrong with the page as it stands in this window: a list of sentences.
(() => {
  const found = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) {
    found.push(`the page is ${root.scrollWidth} wide in a window of ${root.clientWidth}`);
  }
  document.querySelectorAll('details').forEach((details) => { details.open = true; });
  if (root.scrollWidth > root.clientWidth) {
    found.push(`unfolded, the page is ${root.scrollWidth} wide in a window of ${root.clientWidth}`);
  }
  if (document.scripts.length > 0) found.push('there is a script');

  // Texts of a drawing: none over another, each inside its box.
  const named = (element) => `“${element.textContent.slice(0, 40)}”`;
  for (const svg of document.querySelectorAll('svg')) {
    const texts = [...svg.querySelectorAll('text')].map((text) => ({
      text, box: text.getBoundingClientRect() }));
    texts.sort((a, b) => a.box.left - b.box.left);
    texts.forEach((first, index) => {
      for (let next = index + 1; next < texts.length; next += 1) {
        const second = texts[next];
        if (second.box.left >= first.box.right - 0.5) break;
        // Boxes of texts are as high as their lines, which may touch.
        const shared = Math.min(first.box.bottom, second.box.bottom)
          - Math.max(first.box.top, second.box.top);
        if (shared > 3) found.push(`${named(first.text)} overlaps ${named(second.text)}`);
      }
    });
    const outer = svg.getBoundingClientRect();
    const boxes = [...svg.querySelectorAll('rect:not(.swatch):not(.paper)')].map((box) => box.getBoundingClientRect());
    for (const { text, box } of texts) {
      if (box.right > outer.right + 1 || box.left < outer.left - 1 || box.bottom > outer.bottom + 1) {
        found.push(`${named(text)} is outside of the drawing`);
      }
      const around = boxes.find((other) => other.left <= box.left && box.left <= other.right
        && other.top <= (box.top + box.bottom) / 2 && (box.top + box.bottom) / 2 <= other.bottom);
      if (around && box.right > around.right) found.push(`${named(text)} is wider than its box`);
    }
    boxes.sort((a, b) => a.left - b.left);
    boxes.forEach((first, index) => {
      for (let next = index + 1; next < boxes.length; next += 1) {
        const second = boxes[next];
        if (second.left >= first.right - 0.5) break;
        if (first.top < second.bottom - 0.5 && second.top < first.bottom - 0.5) {
          found.push('two boxes of a drawing overlap');
        }
      }
    });
  }

  // Contrast of every text with what is behind it.
  const color = (text) => {
    const numbers = (text.match(/[\d.]+/g) || []).map(Number);
    return numbers.length < 3 ? null : { rgb: numbers.slice(0, 3), alpha: numbers[3] ?? 1 };
  };
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((value) => {
      const part = value / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  };
  const pageBehind = (element) => {
    for (let node = element; node; node = node.parentElement) {
      const behind = color(getComputedStyle(node).backgroundColor);
      if (behind && behind.alpha === 1) return behind.rgb;
    }
    return [255, 255, 255];
  };
  const behindOf = (element) => {
    const svg = element.closest('svg');
    if (!svg) return pageBehind(element);
    const box = element.getBoundingClientRect();
    const [x, y] = [box.left + 1, (box.top + box.bottom) / 2];
    const around = [...svg.querySelectorAll('rect:not(.swatch)')].filter((rect) => {
      const other = rect.getBoundingClientRect();
      return other.left <= x && x <= other.right && other.top <= y && y <= other.bottom;
    }).pop();
    return around ? color(getComputedStyle(around).fill).rgb : pageBehind(svg);
  };
  let least = 21;
  let count = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || element.closest('title, style')) continue;
    const style = getComputedStyle(element);
    const ink = color(element.closest('svg') ? style.fill : style.color);
    const behind = behindOf(element);
    const value = contrast(ink.rgb, behind);
    count += 1;
    least = Math.min(least, value);
    if (value < 4.5) found.push(`${named(element)} has a contrast of ${value.toFixed(2)} to 1`);
  }
  if (count < 10) found.push(`there are only ${count} texts`);
  return { found: [...new Set(found)].slice(0, 20), least, count };
})()
