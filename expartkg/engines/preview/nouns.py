"""Which common nouns take which article, and which names take `the`.

A graph does not say whether a noun is countable, so these lists do, for what artworks are made of
and show. A noun that is on none of them is taken for countable. They decide articles and nothing
else: a missing word costs grammar, never a fact.
"""

from __future__ import annotations

import re

WITH_THE = frozenset("earth moon sea sky sun".split())

PLURALS = frozenset("children geese oxen stigmata cosmetics".split())

SINGULARS = frozenset(
    "canvas chess cyclamen gallows ibis iris lens penis portcullis rhinoceros".split()
)

# Not countable, but listed among the things that a picture shows.
STUFF = frozenset(
    """april armor bark basketry beer black blood bread butter cavalry ceramic chalk cheese
    chocolate clothing coffee copper coral cream daylight dust embroidery fire foam fog
    foliage food frankincense frost fruit furniture gendarmerie gold grass hair hay haze
    hydrogen ice incense infantry ivory jewelry judiciary lace lemonade light lightning
    lipstick magenta marble marquetry mascara meat military milk mist money moonlight moss
    muslin navy nobility oil paper parquetry perfume personnel poison porcelain pottery purple
    rain ricotta salt sand satin seaweed september silver skin slate smoke snow soap soil
    stained-glass sugar sunday sunlight tea tobacco urine vegetation velvet venison vinegar
    water wine wood wool yarn
    """.split()
)

# Actions, states and ideas: named as motifs, apart from the things.
MOTIFS = frozenset(
    """abstraction acquittal adolescence adoration advertising afternoon age agony alchemy
    alcoholism anger anguish architecture art astrology astronomy autumn avarice ballet baptism
    beauty benevolence bigotry birth blindness bohemianism bullying burial cannibalism care
    carnival carpentry charity chastity chemistry chivalry combat communion confirmation
    conflagration conflict construction contre-jour courage courtship creation crime croquet
    crucifixion curiosity curling dance death decapitation destruction disease disgust
    distraction divination dusk ecstasy education electricity entertainment eroticism evening
    exhibitionism exile faith fashion fear fidelity filicide flight folly gallantry geometry
    gluttony gratitude grief happiness hatred heaven height hell hockey homicide humility
    idolatry illness infanticide innocence insanity intemperance intercourse irredentism
    jealousy joy justice kleptomania lactation laughter liberty libido love lust magic marriage
    mastectomy masturbation medicine melancholia misanthropy mourning murder music mythology
    nature night nightlife noon nudity obedience old ordination paganism pain palmistry paradise
    passion patriotism payment penance penitence perception perspective philosophy photography
    plague pleasure poetry poverty prayer prostitution prudence punishment rebellion remorse
    repentance respect resurrection revenge rhetoric royalty sadness salvation science seduction
    shame sin slavery sleep sloth solitude sorrow steatopygia strabismus suffering suicide
    summer surrender temperance theft torture tourism transparency transvestism treason truth
    turbulence twilight ugliness vanity vice violence virginity virtue war wealth wind winter
    wonder zoophilia""".split()
)

# Nouns in -ing that are things.
THINGS_IN_ING = frozenset(
    """building ceiling drawing earring engraving king offering painting ring string waxwing
    wing wedding""".split()
)

# Concepts that keep their capital.
CAPITALISED = frozenset(
    """april byōbu-e christian christmas commedia corinthian danse earth gouda greek haerlempjes
    indian irish latin maltese monday phrygian september sunday swiss vestal""".split()
)

LATIN_NAME = re.compile(
    r"[A-Z][a-z]+ ([a-z]{2,}(us|um|a|is|ris|ea|ens|ans|ago|ae|rhoeas)|arctos|draco|excelsior|"
    r"helix|mume|nil|oleander|vulgare)$"
)

# Genres that are a thing ("a portrait"); others are a kind of art ("a work of religious art").
COUNTED_GENRE = re.compile(
    r".*(portrait|painting|nude|allegory|still life|cityscape|veduta|view|schutterstuk|tronie|"
    r"nocturne|capriccio|satire|panel|piece|miniature|landscape|trompe-l'œil)$"
)

SUPPORTS = frozenset(
    """canvas panel wood paper cardboard copper silk parchment linen slate fiberboard vellum
    plaster leather board""".split()
)

# What is made of these is a painting; anything else is only called a work.
PAINTED = frozenset(
    "paint painting tempera fresco watercolor watercolour gouache canvas panel acrylic".split()
)

_HOLDERS = (
    r"museums?|gallery|galleries|collections?|institute|foundation|department|kunsthalle|"
    r"kunstmuseum|musée|museo|museu|galleria|gallerie|pinacoteca|louvre"
)
HOLDER = re.compile(rf"\b({_HOLDERS})\b", re.IGNORECASE)

NO_ARTICLE = re.compile(
    r"(The|M|Tate|Palazzo|Villa|Casa|Ca'|Schloss|MuMa|Musea|Louvre-Lens|Louvre Abu|Dumbarton|"
    r"Hessen|Singer|Dienst|Rijksdienst|Stichting|Instituut|Birmingham Museums|Sheffield Galleries|"
    r"Ordrupgaard|Maison|Royal Museums Greenwich|Royal Holloway|Civic Museums|Harvard|MAK)\b"
    r"|(?!White ).*\b(House|Hall|Castle|College|Abbey|Buckingham Palace)$"
    r"|[A-Z]\w+ University$"
)

NAME_WITH_THE = re.compile(
    r"(Netherlands|United (Kingdom|States|Arab)|Kingdom of|Republic of|Duchy of|Soviet Union|"
    r"Russian Soviet|Papal States|City of|Royal Borough|London Borough|\d\w\w arrondissement|"
    r"(Holy )?\w+ Empire$|(Second )?(Dutch|Czech|Polish|Weimar) Republic$|Second Polish Republic$|"
    r"Brussels-Capital|(Hudson|Jordan|Aras) River$|(Seine|Ganges|Rhône|Eiffel Tower|Vatican)$|"
    r"Arch of|Church of|Quartier|"
    r"(.* )?(Baroque|Rococo|Renaissance|Brotherhood|Golden Age|American Scene)$|.* School$|"
    r"(Dominican Order|Order of|Legion of|Catholic Church|Eastern Orthodox|University of|"
    r"National .* Hall|Royal Gold|Apple of|Flag of|Coronation of|Crucifixion of|Flagellation of|"
    r"Baptism of|Assumption of|Rape of|Wedding of|Battle of|Magi|Last Supper|Annunciation|"
    r"Twelve Apostles|Virgin Mary|Christ Child|Bible|Torah|Odyssey|Golden |Crown of|Fall of|"
    r"Tree of|Minotaur|Fountain of|Milky Way|American Civil|Resurrection of|Nereids|Franciscans|"
    r"Ship of|Wheel of|Shower of|Black Madonna|Headless|Black Paintings|Montmartre Cemetery|"
    r".* (people|Americans)$))"
)
