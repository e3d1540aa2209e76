"""check_links.py FOLDER: every link of the HTML pages in it, to a page, a picture or a place on a page, leads somewhere.

Other people's pages are not asked. Prints what leads nowhere, and exits 1 where there is any. O(bytes of the pages).
"""
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The links of a page and the places on it that links may lead to."""

    def __init__(self):
        super().__init__()
        self.links = set()
        self.places = {'', 'top'}

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        for name in ('href', 'src', 'data'):
            if attributes.get(name) and not (name == 'data' and tag != 'object'):
                self.links.add(attributes[name])
        self.places.update(attributes[name] for name in ('id', 'name') if attributes.get(name))


def read_page(path):
    page = Page()
    page.feed(path.read_text(encoding='utf-8'))
    return page


def dead_links(top):
    pages = {path: read_page(path) for path in sorted(top.rglob('*.html'))}
    for path, page in pages.items():
        # The page that servers show in place of one that is not there has links from the top of a site.
        base = top if path.name == '404.html' else path.parent
        for link in sorted(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            # Doxygen's summary of a class links to a list of its private classes, too, which it does not make.
            if link == '#nested-classes' and path.parent == top / 'cpp':
                continue
            target = path
            if parts.path:
                target = ((top if parts.path.startswith('/') else base) / unquote(parts.path).lstrip('/')).resolve()
            if target.is_dir():
                target /= 'index.html'
            if not target.is_file() or top not in target.parents:
                yield path, link, 'no such file'
            elif target in pages and unquote(parts.fragment) not in pages[target].places:
                yield path, link, 'no such place on that page'


def main():
    top = Path(sys.argv[1]).resolve()
    links = list(dead_links(top))
    for path, link, why in links:
        print(f'{path.relative_to(top)}: {link}: {why}')
    return 1 if links else 0


if __name__ == '__main__':
    sys.exit(main())
